/* After an answer is swapped in, the view starts at its top, as after a page load, and its address is a new
   entry of the history. Going back loads the page of that entry, and `filled.js` fills its form. If there is no
   connection, the page says so: silence could be mistaken for an answer. */
"use strict";

function address() {
  return location.pathname + location.search;
}

let shown = address();

document.addEventListener("htmx:afterSwap", (event) => {
  const { responsePath, finalRequestPath } = event.detail.pathInfo;
  const path = responsePath ?? finalRequestPath;
  if (path !== shown) {
    history.pushState(null, "", path);
    shown = address();
  }
});

addEventListener("popstate", () => {
  // A link within the page is a history entry too, and loads nothing.
  if (address() !== shown) {
    location.reload();
  }
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id === "content" || event.target.id === "content") {
    document.getElementById("content").focus({ preventScroll: true });
  }
});

function offline(yes) {
  document.querySelector(".offline").hidden = !yes;
}

document.addEventListener("htmx:sendError", () => offline(true));
document.addEventListener("htmx:beforeSwap", () => offline(false));
