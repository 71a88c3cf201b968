/* After an answer was swapped in, whoever reads on starts at its heading, as after a page was loaded. */
"use strict";

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id === "content" || event.target.id === "content") {
    document.getElementById("content").focus({ preventScroll: true });
  }
});
