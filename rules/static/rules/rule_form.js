// The form of a rule: it shows the fields that belong to the choice, says how the rule reads while the user
// types, and tries it. Without this script the buttons of the page do the same. See rules/editing/admin/panels.py.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("rule_form");
  const reading = document.getElementById("rule-reading");
  const question = document.getElementById("rule-question");
  if (!form || !reading || !question) return;
  const $ = window.django?.jQuery;
  const WAIT_MS = 350;

  const ask = async (address, answer, data) => {
    answer.classList.add("rule-busy");
    try {
      const response = await fetch(address, { method: "POST", body: data, credentials: "same-origin" });
      if (!response.ok) throw new Error(response.statusText);
      return await response.text();
    } catch {
      return null;
    } finally {
      answer.classList.remove("rule-busy");
    }
  };

  // What a field of the form says, and whether it is there to be filled in.
  const line = (name) => form.querySelector(`.field-line.field-${name}`);
  const show = (name, shown) => {
    const row = line(name);
    if (!row) return;
    // A field with an error is never hidden.
    row.hidden = !shown && !row.classList.contains("errors");
    for (const input of row.querySelectorAll("input, select, textarea")) input.disabled = row.hidden;
  };
  const arrange = () => {
    const says = form.elements.says?.value;
    for (const input of form.querySelectorAll("[data-goes-with]")) {
      show(input.name, input.dataset.goesWith.split(" ").includes(says));
    }
    show("applies", !form.elements.airline?.value);
  };

  // The blocks of quotes offer the sources that the form names, and those that they already have.
  const every = (root, what) => [...root.querySelectorAll(what)];
  const offer = () => {
    const named = every(form, "[name=evidence-source]").map((input) => input.value).filter(Boolean);
    const templates = every(form, "template").map((template) => template.content);
    for (const select of [form, ...templates].flatMap((root) => every(root, "[data-offers=evidence]"))) {
      const offered = [...new Set([...named, select.value])].filter(Boolean);
      if (offered.join() === every(select, "option").map((option) => option.value).filter(Boolean).join()) continue;
      const chosen = select.value;
      const blank = new Option(named.length === 1 ? `Source: ${named[0]}` : "Source", "");
      select.replaceChildren(blank, ...offered.map((name) => new Option(name, name)));
      select.value = chosen;
    }
  };

  let timer, newest = 0;
  const read = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const mine = ++newest;
      const said = await ask(reading.dataset.ask, reading, new FormData(form));
      // Ignore an old answer: it is about text that has changed since.
      if (mine === newest && said !== null && said !== reading.innerHTML) reading.innerHTML = said;
    }, WAIT_MS);
  };

  if (form.elements.says) {
    document.documentElement.classList.add("rule-live");
    arrange();
    offer();
    const changed = (event) => {
      if (event.target.name?.startsWith("try-")) return;
      arrange();
      offer();
      read();
    };
    form.addEventListener("input", changed);
    form.addEventListener("change", changed);
    // Selects with a search only report a choice through jQuery.
    $?.(form).on("change", "select", changed);
    new MutationObserver(() => { offer(); read(); }).observe(form, { childList: true, subtree: true, attributeFilter: ["value"] });
  }

  question.addEventListener("click", async (event) => {
    const button = event.target.closest("button[name=_try]");
    if (!button) return;
    event.preventDefault();
    const answer = document.getElementById("rule-trial");
    const asked = new FormData(document.getElementById(question.dataset.owner));
    asked.append("fragment", "1");
    const said = await ask(question.dataset.ask, answer, asked);
    answer.innerHTML = said ?? "<p>The answer did not arrive. Try again.</p>";
    answer.scrollIntoView({ block: "nearest" });
  });
});
