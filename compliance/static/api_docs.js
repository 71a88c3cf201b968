// Shows the contract with Swagger UI. It sends requests only to this server.
const page = document.getElementById("contract");

SwaggerUIBundle({
  url: page.dataset.contract,
  domNode: page,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // A typed key is gone when the page closes.
  persistAuthorization: false,
  queryConfigEnabled: false,
  // By default, Swagger UI sends the contract to an external validator.
  validatorUrl: null,
});
