// The keys of the desk (templates/admin/_keyboard.html). No key acts on a record: `a` only goes to the button.
// While somebody types, or has turned the keys off, they do nothing.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  // The headings of a list sort it, so its first row comes after them.
  document.querySelector(".desk-skip[href='#result_list']")?.addEventListener("click", (event) => {
    const row = document.querySelector("#result_list tbody :is(a[href], input)");
    if (!row) return;
    event.preventDefault();
    row.focus();
  });

  const help = document.getElementById("desk-keys");
  if (!help) return;
  const OFF = "desk-keys-off";
  const SECOND_KEY_MS = 2000;
  document.getElementById("desk-keys-close").addEventListener("click", () => help.close());
  const on = document.getElementById("desk-keys-on");
  on.checked = localStorage.getItem(OFF) === null;
  on.addEventListener("change", () => {
    if (on.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("a[href='#keyboard']")) return;
    event.preventDefault();
    help.showModal();
  });

  const approval = () =>
    [...document.querySelectorAll("main :is(a[href], button)")].find(
      (button) => button.checkVisibility() && /^\W*Approve\b/.test(button.innerText.replace(/^[a-z_]+\n/, "").trim()),
    );
  const search = () => {
    const whole = document.getElementById("desk-search");
    const field = document.getElementById("searchbar") ?? whole;
    if (field?.checkVisibility()) field.focus();
    // The navigation is hidden, and the search of the desk with it: its page has a field too.
    else if (whole) location.assign(whole.form.action);
  };

  let going = 0;
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], .select2-container");
    if (typing || help.open || !on.checked || event.ctrlKey || event.metaKey || event.altKey) return;
    const second = Date.now() - going < SECOND_KEY_MS;
    going = 0;
    if (second) {
      help.querySelector(`[data-go="${CSS.escape(event.key)}"]`)?.click();
    } else if (event.key === "g") {
      going = Date.now();
    } else if (event.key === "?") {
      help.showModal();
    } else if (event.key === "/") {
      search();
    } else if (event.key === "a") {
      approval()?.focus();
    } else return;
    event.preventDefault();
  });
});
