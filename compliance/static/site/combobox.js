/* Fields with suggestions while a person types: the ARIA 1.2 pattern of a combobox with a list.

   Without this script, a field is a plain text field, which the server reads. With it, the field sends the id
   or code of the choice, or the typed text. Fields that htmx adds get the script on arrival. */
"use strict";

const WAIT_MS = 150;

function equip(input) {
  const words = document.getElementById("combobox-words").dataset;
  const list = document.createElement("ul");
  const sent = document.createElement("input");
  const status = document.createElement("p");
  const name = input.name;
  let at = -1;
  let waiting;
  let asked;

  list.id = `${input.id}-options`;
  list.className = "options";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", words.options);
  status.className = "unseen";
  status.setAttribute("role", "status");
  sent.type = "hidden";
  sent.name = name;
  // The browser may have filled it again.
  sent.value = (input.value === input.defaultValue && input.dataset.value) || input.value;
  input.removeAttribute("name");
  input.after(sent, list, status);
  for (const [key, value] of Object.entries({
    role: "combobox",
    autocomplete: "off",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": list.id,
  })) {
    input.setAttribute(key, value);
  }

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
    asked?.abort();
    input.value = option.dataset.label;
    sent.value = option.dataset.value;
    input.removeAttribute("aria-invalid");
    open(false);
  }

  input.addEventListener("input", () => {
    sent.value = input.value;
    clearTimeout(waiting);
    asked?.abort();
    if (input.value.trim() === "") {
      list.replaceChildren();
      open(false);
    } else {
      waiting = setTimeout(suggest, WAIT_MS);
    }
  });

  async function suggest() {
    asked = new AbortController();
    const address = `${words.suggest}${input.dataset.suggest}?text=${encodeURIComponent(input.value)}`;
    let page;
    try {
      const response = await fetch(address, { signal: asked.signal });
      page = response.ok ? await response.text() : "";
    } catch {
      // The text has changed meanwhile, or there is no connection: the typed text is sent as it is.
      return;
    }
    const shown = new DOMParser().parseFromString(page, "text/html");
    list.replaceChildren(...shown.querySelectorAll("[role=option]"));
    for (const [number, option] of options().entries()) {
      option.id = `${list.id}-${number}`;
    }
    const found = options().length > 0;
    status.textContent = found ? words.found : words.none;
    open(found && document.activeElement === input);
  }

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

function equipAll(root) {
  for (const input of root.querySelectorAll("input[data-suggest]:not([role])")) {
    equip(input);
  }
}

document.addEventListener("htmx:load", (event) => equipAll(event.detail.elt));
equipAll(document);
