// Says when the session is about to end, and keeps it if somebody wants. Each page says for how many seconds it lasts;
// any page that is opened prolongs it, so all tabs share the time at which it ends.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const main = document.querySelector("main[data-session-seconds]");
  const notice = document.getElementById("desk-session");
  if (!main || !notice) return;
  const ENDS = "desk-session-ends";
  const WARN_SECONDS = Math.min(300, Number(main.dataset.sessionSeconds) / 3);
  // The server writes the last use once a minute, so the session can end so much earlier.
  const EXACT_SECONDS = 60;
  const words = notice.querySelector("p");
  const button = notice.querySelector("button");
  const note = (seconds) => localStorage.setItem(ENDS, String(Date.now() + (seconds - EXACT_SECONDS) * 1000));

  const look = () => {
    const left = (Number(localStorage.getItem(ENDS)) - Date.now()) / 1000;
    notice.hidden = left > WARN_SECONDS;
    if (notice.hidden) return;
    button.hidden = left <= 0;
    words.textContent =
      left > 0
        ? `You will be signed out in ${left < 90 ? "a minute" : `${Math.round(left / 60)} minutes`}. What you type is kept in this browser.`
        : "You are signed out. What you typed is kept in this browser: sign in in another tab, and send it.";
  };
  button.addEventListener("click", async () => {
    try {
      const response = await fetch(notice.dataset.stay, { credentials: "same-origin", redirect: "error" });
      const { seconds, token } = await response.json();
      note(seconds);
      for (const input of document.querySelectorAll("[name=csrfmiddlewaretoken]")) input.value = token;
    } catch {
      localStorage.setItem(ENDS, "0");
    }
    look();
  });
  note(Number(main.dataset.sessionSeconds));
  setInterval(look, 5000);
  look();
});
