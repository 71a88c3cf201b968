// Follows a measurement: continues it, shows its progress, and opens the result. Without this script the button
// of the page does the same. See rules/impact/admin/measurements.py.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("[data-impact-progress]");
  if (!form) return;
  const bar = form.querySelector("progress");
  const done = form.querySelector("[data-impact-done]");
  const WAIT_MS = 700;
  const PATIENCE_MS = 5000;

  const goOn = async () => {
    let wait = WAIT_MS;
    try {
      const response = await fetch(form.action, {
        method: "POST",
        body: new FormData(form),
        headers: { Accept: "application/json" },
        credentials: "same-origin",
      });
      if (!response.ok) throw new Error(response.statusText);
      const status = await response.json();
      if (status.finished) return window.location.reload();
      bar.value = status.done;
      done.textContent = status.done;
    } catch {
      // The server may be away for a moment.
      wait = PATIENCE_MS;
    }
    setTimeout(goOn, wait);
  };
  goOn();
});
