// Ordered lists: adding, removing and moving rows. See catalog/screens/list_field.py.
"use strict";
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-rows-do]");
  if (!button) return;
  const list = button.closest("[data-rows]");
  const rows = list.querySelector("[data-rows-list]");
  const row = button.closest("[data-row]");
  switch (button.dataset.rowsDo) {
    case "add": {
      rows.append(list.querySelector("template").content.cloneNode(true));
      const added = rows.lastElementChild;
      // Django's own script makes the search of its inputs work.
      added.dispatchEvent(new CustomEvent("formset:added", { bubbles: true }));
      added.querySelector("input, textarea, select").focus();
      return;
    }
    case "remove":
      row.remove();
      return;
    case "up":
      row.previousElementSibling?.before(row);
      break;
    case "down":
      row.nextElementSibling?.after(row);
  }
  button.focus();
});
