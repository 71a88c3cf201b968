// What somebody types in a form of the desk is kept in this browser until it is saved, for each account and page. It is
// offered when the page is opened again, never filled in unasked. Names the changed fields. See
// templates/admin/catalog/_typed.html; without this script forms work as before.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const account = document.querySelector("main[data-account]")?.dataset.account;
  if (!account) return;
  const form = document.querySelector("form.warn-unsaved-form");
  const key = `desk-unsaved ${account} ${location.pathname}`;
  const typed = form?.querySelector("[data-typed]") != null;

  // The answer to a form that was saved names its page (catalog/screens/record_forms.py).
  const saved = document.cookie.match(/(?:^|; )desk-saved="?([^";]*)/)?.[1];
  if (saved) {
    localStorage.removeItem(`desk-unsaved ${account} ${saved}`);
    document.cookie = "desk-saved=; Max-Age=0; Path=/; SameSite=Strict";
  }
  if (!form) return;

  // Never what is secret, what a traveler would type, or what the server adds.
  const kept = (input) =>
    input.name && !["password", "file"].includes(input.type) && !/^(csrfmiddlewaretoken|_|try-)|password|secret|token/i.test(input.name);
  const entries = () => {
    const names = new Set([...form.elements].filter(kept).map((input) => input.name));
    return [...new FormData(form)].filter(([name, value]) => names.has(name) && typeof value === "string");
  };
  const group = (list) => {
    const found = new Map();
    for (const [name, value] of list) found.set(name, [...(found.get(name) ?? []), value]);
    return found;
  };
  const fieldOf = (name) => form.elements[name]?.closest?.(".field-line") ?? form.querySelector(`.field-line.field-${CSS.escape(name.split("-")[0])}`);
  const labelOf = (line) => line?.querySelector("label, legend")?.textContent.replace("*", "").trim();

  const bar = document.createElement("p");
  bar.id = "desk-unsaved";
  bar.setAttribute("role", "status");
  form.prepend(bar);

  const first = group(entries());
  // What was kept before is not replaced while it is offered, and only this page takes back what it wrote.
  let undecided = false, wrote = false, timer;
  // A field that is not in use says as little as an empty one.
  const said = (values) => JSON.stringify((values ?? []).filter(Boolean));
  const mark = () => {
    const now = group(entries());
    const changed = [...new Set([...first.keys(), ...now.keys()])].filter(
      (name) => said(first.get(name)) !== said(now.get(name)),
    );
    const lines = new Set(changed.map(fieldOf).filter(Boolean));
    for (const line of form.querySelectorAll(".desk-changed")) if (!lines.has(line)) line.classList.remove("desk-changed");
    for (const line of lines) line.classList.add("desk-changed");
    const names = [...new Set([...lines].map(labelOf).filter(Boolean))];
    bar.textContent = names.length ? `Not saved yet: ${names.join(", ")}.` : "";
    if (undecided) return;
    if (changed.length) localStorage.setItem(key, JSON.stringify({ at: Date.now(), entries: entries() }));
    else if (wrote) localStorage.removeItem(key);
    wrote = changed.length > 0;
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(mark, 300);
  };

  const restore = (list) => {
    const again = document.createElement("form");
    again.method = "post";
    for (const [name, value] of [...list, ["csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value], ["_restore", "1"]]) {
      const input = document.createElement("input");
      input.type = "hidden";
      input.name = name;
      input.value = value;
      again.append(input);
    }
    document.body.append(again);
    again.submit();
  };
  const offer = () => {
    let stored;
    try {
      stored = JSON.parse(localStorage.getItem(key));
    } catch {
      localStorage.removeItem(key);
    }
    if (!stored || typed) return;
    const at = new Date(stored.at);
    const day = at.toDateString() === new Date().toDateString() ? "" : `${at.toLocaleDateString("en-GB")}, `;
    const box = document.createElement("div");
    box.id = "desk-restore";
    box.setAttribute("role", "status");
    const words = document.createElement("p");
    words.textContent = `You have unsaved text of ${day}${at.toTimeString().slice(0, 5)}.`;
    const button = (label, does) => {
      const made = document.createElement("button");
      made.type = "button";
      made.className = "desk-button";
      made.textContent = label;
      made.addEventListener("click", does);
      return made;
    };
    box.append(
      words,
      button("Restore", () => restore(stored.entries)),
      button("Discard", () => {
        localStorage.removeItem(key);
        box.remove();
        undecided = false;
        mark();
      }),
    );
    form.before(box);
    undecided = true;
  };

  offer();
  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
  window.django?.jQuery?.(form).on("change", "select", soon);
  form.addEventListener("click", (event) => {
    if (event.target.closest("[data-rows-do]")) soon();
  });
  form.addEventListener("submit", mark);
  window.addEventListener("pagehide", mark);
});
