// The page that keeps the fields of a form: signing in elsewhere changes the token that a form needs, so the present
// one is fetched before the form is sent. Without this script the page comes back once, with that token.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("form[data-stay]");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const response = await fetch(form.dataset.stay, { credentials: "same-origin", redirect: "error" });
      if (response.ok) form.elements.csrfmiddlewaretoken.value = (await response.json()).token;
    } catch {
      // Still signed out: the answer says so.
    }
    // A form that a script sends lacks the button that was pressed.
    const pressed = event.submitter;
    if (pressed?.name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: pressed.name, value: pressed.value }));
    // A field may be named like the method.
    HTMLFormElement.prototype.submit.call(form);
  });
});
