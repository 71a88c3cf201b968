/* Restores a filled form when its reader comes back. Only the entry of the browser's history stores the values.
   Runs after `combobox.js`, because it also fills the fields of that script. */
"use strict";

function forms() {
  return [...document.querySelectorAll('main form[method="get"]')];
}

function inputs(form) {
  return [...form.elements].filter((control) => control.localName === "input");
}

function isChoice(input) {
  return input.type === "radio" || input.type === "checkbox";
}

function keepFilled() {
  const filled = forms().map((form) => inputs(form).map((input) => (isChoice(input) ? input.checked : input.value)));
  history.replaceState({ ...history.state, filled }, "");
}

function fillAgain(form, values) {
  const all = inputs(form);
  if (values?.length !== all.length) {
    return;
  }
  for (const [number, input] of all.entries()) {
    const property = isChoice(input) ? "checked" : "value";
    if (input[property] !== values[number]) {
      input[property] = values[number];
      input.closest("details")?.setAttribute("open", "");
    }
  }
}

for (const [number, form] of forms().entries()) {
  fillAgain(form, history.state?.filled?.[number]);
}
document.addEventListener("change", keepFilled);
document.addEventListener("submit", keepFilled, true);
