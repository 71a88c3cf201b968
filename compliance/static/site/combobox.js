/* Fields that suggest while somebody types: the ARIA 1.2 pattern of a combobox with a list.

   A field without this script is a plain text field, which the server reads. With it, the field sends the id
   or code of what was chosen, and what was typed otherwise. Suggestions come by htmx. */
"use strict";

const WAIT = "150ms";

function equip(input) {
  const words = document.getElementById("combobox-words").dataset;
  const list = document.createElement("ul");
  const sent = document.createElement("input");
  const status = document.createElement("p");
  const name = input.name;
  let at = -1;

  list.id = `${input.id}-options`;
  list.className = "options";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", words.options);
  status.className = "unseen";
  status.setAttribute("role", "status");
  sent.type = "hidden";
  sent.name = name;
  sent.value = input.dataset.value || input.value;
  input.removeAttribute("name");
  input.after(sent, list, status);
  for (const [key, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": list.id,
    "hx-get": `${words.suggest}${input.dataset.suggest}`,
    "hx-trigger": `suggest delay:${WAIT}`,
    "hx-target": `#${list.id}`,
    "hx-swap": "innerHTML",
    "hx-select": "[role=option]",
    "hx-sync": "this:replace",
    "hx-push-url": "false",
  })) {
    input.setAttribute(key, value);
  }
  htmx.process(input);

  const options = () => [...list.children];

  function open(yes) {
    list.hidden = !yes;
    input.setAttribute("aria-expanded", String(yes));
    mark(-1);
  }

  function mark(index) {
    const all = options();
    at = index;
    for (const [number, option] of all.entries()) {
      option.setAttribute("aria-selected", String(number === at));
    }
    if (at >= 0) {
      input.setAttribute("aria-activedescendant", all[at].id);
      all[at].scrollIntoView({ block: "nearest" });
    } else {
      input.removeAttribute("aria-activedescendant");
    }
  }

  function choose(option) {
    input.value = option.dataset.label;
    sent.value = option.dataset.value;
    input.removeAttribute("aria-invalid");
    open(false);
  }

  input.addEventListener("input", () => {
    sent.value = input.value;
    if (input.value.trim() === "") {
      list.replaceChildren();
      open(false);
    } else {
      htmx.trigger(input, "suggest");
    }
  });

  input.addEventListener("htmx:configRequest", (event) => {
    event.detail.parameters = { text: input.value };
  });

  list.addEventListener("htmx:afterSwap", () => {
    for (const [number, option] of options().entries()) {
      option.id = `${list.id}-${number}`;
    }
    const found = options().length > 0;
    const wanted = found && document.activeElement === input && input.value.trim() !== "";
    status.textContent = found ? words.found : words.none;
    open(wanted);
  });

  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) {
      choose(option);
    }
  });

  input.addEventListener("blur", () => open(false));

  input.addEventListener("keydown", (event) => {
    const all = options();
    const closed = list.hidden;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        if (all.length === 0) {
          return;
        }
        event.preventDefault();
        if (closed) {
          open(true);
        }
        mark(event.key === "ArrowDown" ? (at + 1) % all.length : (at <= 0 ? all.length : at) - 1);
        return;
      case "Enter":
        if (!closed && at >= 0) {
          event.preventDefault();
          choose(all[at]);
        }
        return;
      case "Escape":
        if (!closed) {
          event.preventDefault();
          open(false);
        }
        return;
      case "Tab":
        if (!closed && at >= 0) {
          choose(all[at]);
        }
    }
  });
}

htmx.onLoad((root) => {
  for (const input of root.querySelectorAll("input[data-suggest]:not([role])")) {
    equip(input);
  }
});
