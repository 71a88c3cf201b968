/* Turns the link to an answer into a button that shares it, or copies it if the browser cannot share.

   Without this script, or if a browser can do neither, it stays a link. */
"use strict";

function equipShare(place) {
  const link = place.querySelector("a");
  const button = place.querySelector("button");
  const status = place.querySelector("[role=status]");
  const canShare = "share" in navigator;
  if (!canShare && !navigator.clipboard) {
    return;
  }
  if (canShare) {
    button.textContent = button.dataset.share;
  }
  button.hidden = false;
  link.hidden = true;
  button.addEventListener("click", async () => {
    status.textContent = "";
    try {
      if (canShare) {
        await navigator.share({ title: document.title, url: link.href });
      } else {
        await navigator.clipboard.writeText(link.href);
        status.textContent = status.dataset.copied;
      }
    } catch (error) {
      // The reader closed the dialog: keep the button. After any other error, show the link.
      link.hidden = error.name === "AbortError";
    }
  });
}

function equipShares(root) {
  for (const place of root.querySelectorAll(".share:has(button[hidden])")) {
    equipShare(place);
  }
}

document.addEventListener("htmx:load", (event) => equipShares(event.detail.elt.parentNode ?? document));
equipShares(document);
