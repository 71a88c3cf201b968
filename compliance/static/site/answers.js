/* After an answer was swapped in, whoever reads on starts at its top, as after a page was loaded. Where there is
   no connection, that is said: silence could be taken for an answer. */
"use strict";

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
