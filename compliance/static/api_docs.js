// Shows the contract with Swagger UI. Nothing is asked of anybody but this server.
const page = document.getElementById("contract");

SwaggerUIBundle({
  url: page.dataset.contract,
  domNode: page,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // A key that was typed in is forgotten with the page.
  persistAuthorization: false,
  queryConfigEnabled: false,
  // By default the contract is sent to a service elsewhere that judges it.
  validatorUrl: null,
});
