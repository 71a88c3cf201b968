// The form of a recall: it tests the pattern while the user types, and tries a serial. Without this script the
// buttons of the page do the same. See recalls/editing/admin/panels.py.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const test = document.getElementById("recall-test");
  const question = document.getElementById("recall-question");
  const form = document.getElementById("recall_form");
  if (!test || !question) return;
  const serial = question.querySelector("input");
  const summary = Object.assign(document.createElement("p"), { className: "recall-summary", role: "status" });
  const WAIT_MS = 350;

  const ask = async (address, answer, data) => {
    answer.classList.add("recall-busy");
    try {
      data.append("fragment", "1");
      const response = await fetch(address, { method: "POST", body: data, credentials: "same-origin" });
      if (!response.ok) throw new Error(response.statusText);
      return await response.text();
    } catch {
      return null;
    } finally {
      answer.classList.remove("recall-busy");
    }
  };

  let timer, newest = 0;
  const look = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const mine = ++newest;
      const typed = new FormData(form);
      typed.delete(serial.name);
      const said = await ask(test.dataset.ask, test, typed);
      // Ignore an old answer: it is about text that has changed since.
      if (mine !== newest || said === null || said === test.innerHTML) return;
      test.innerHTML = said;
      summary.textContent = test.querySelector("[data-said]").textContent;
    }, WAIT_MS);
  };

  if (form?.elements.pattern) {
    document.documentElement.classList.add("recall-live");
    // The result is also shown at the pattern, because the panel may be far away.
    form.elements.pattern.after(summary);
    const changed = (event) => event.target !== serial && look();
    form.addEventListener("input", changed);
    form.addEventListener("change", changed);
    // The select with a search only reports a choice through jQuery.
    window.django?.jQuery(form).on("change", "select", changed);
    // Rows that are removed or moved.
    const rows = new MutationObserver(look);
    for (const list of form.querySelectorAll("[data-rows-list]")) rows.observe(list, { childList: true });
    // A tried serial is only sent for its answer.
    form.addEventListener("submit", (event) => {
      serial.disabled = event.submitter?.name !== "_try";
    });
  }

  const tried = document.getElementById("recall-trial");
  const tryIt = async () => {
    const asked = new FormData(document.getElementById(question.dataset.owner));
    asked.append("_try", "");
    const said = await ask(question.dataset.ask, tried, asked);
    tried.innerHTML = said ?? "<p>The answer did not arrive. Try again.</p>";
  };
  question.addEventListener("click", (event) => {
    if (!event.target.closest("button[name=_try]")) return;
    event.preventDefault();
    tryIt();
  });
  serial.addEventListener("keydown", (event) => {
    // Otherwise the key would save the form.
    if (event.key !== "Enter") return;
    event.preventDefault();
    tryIt();
  });
});
