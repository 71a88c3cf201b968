/* Lets the links to other languages keep what was filled in: they lead to the page that reads the form.

   Without this script, they lead to the page as it was opened. No such form asks for a serial number or a key. */
"use strict";

let filled;

function noteFilled({ target }) {
  if (target.form?.matches('main form[method="get"]')) {
    filled = target.form;
  }
}

/* The start of the paths of a language. */
function start(language) {
  return language === "en" ? "" : `/${language.toLowerCase()}`;
}

function keepFields({ target }) {
  const link = target.closest?.(".languages a");
  if (!link || !filled?.isConnected) {
    return;
  }
  const fields = new URLSearchParams(new FormData(filled));
  // Only the button of the form confirms.
  fields.delete("confirmed");
  const path = new URL(filled.action).pathname.slice(start(document.documentElement.lang).length);
  link.href = `${start(link.hreflang)}${path}?${fields}`;
}

document.addEventListener("input", noteFilled);
document.addEventListener("change", noteFilled);
// A link can also be opened in another tab.
document.addEventListener("pointerdown", keepFields);
document.addEventListener("click", keepFields, true);
