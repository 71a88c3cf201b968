/* A list with a filter that works while its reader types. A long list has several pages; the rows of the others
   are fetched once, when the reader first focuses the field. */
"use strict";

const WAIT_MS = 300;

const words = document.getElementById("filter-words").dataset;
const field = document.createElement("input");
const live = document.createElement("p");
const rowsAt = `main ul > li:has(> a[href^="${words.list}/"])`;
const further = [...document.querySelectorAll(`main p > a[href^="${words.list}?page="]`)];
const pages = further[0]?.closest("p");
const groups = new Map();
let waiting;
let fetched;

function addField() {
  const box = document.createElement("div");
  const label = document.createElement("label");
  field.id = label.htmlFor = "filter";
  field.type = "search";
  field.className = "input";
  field.autocomplete = "off";
  field.spellcheck = false;
  field.setAttribute("aria-describedby", "filter-count");
  label.textContent = words.label;
  live.id = "filter-count";
  live.className = "hint";
  live.setAttribute("role", "status");
  box.className = "field";
  box.append(label, field, live);
  document.querySelector("main .lead").after(box);
}

/* Return a text without differences of case, of accents and of thousands separators. */
function folded(text) {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/(\d)[,.\s](?=\d{3}(?!\d))/g, "$1")
    .toLowerCase();
}

function add(row, isHere) {
  const heading = row.parentNode.previousElementSibling;
  const name = heading.textContent;
  if (!groups.has(name)) {
    groups.set(name, { heading, list: row.parentNode, rows: [] });
  }
  const group = groups.get(name);
  if (!isHere) {
    row.hidden = true;
    if (group.list === row.parentNode) {
      group.heading.hidden = true;
      pages.previousElementSibling.before(group.heading, group.list);
    } else {
      group.list.append(row);
    }
  }
  // The address contains the number of a model or the id of a recall.
  const id = row.querySelector("a").pathname.slice(words.list.length);
  group.rows.push({ row, isHere, text: folded(`${name} ${row.textContent} ${id}`) });
}

async function fetchFurther() {
  const fetching = further.map(async (link) => {
    const response = await fetch(link.href);
    return response.ok ? response.text() : Promise.reject(response);
  });
  for (const text of await Promise.all(fetching)) {
    const page = new DOMParser().parseFromString(text, "text/html");
    for (const row of page.querySelectorAll(rowsAt)) {
      add(row, false);
    }
  }
  show();
}

function begin() {
  fetched ??= fetchFurther().catch(() => {
    // The rows of this page can still be filtered.
    fetched = undefined;
  });
}

function show() {
  const typed = folded(field.value).split(/\s+/).filter(Boolean);
  const all = [...groups.values()].flatMap((group) => group.rows);
  let count = 0;
  for (const group of groups.values()) {
    for (const { row, isHere, text } of group.rows) {
      row.hidden = typed.length > 0 ? !typed.every((word) => text.includes(word)) : !isHere;
    }
    const shown = group.rows.filter(({ row }) => !row.hidden).length;
    group.heading.hidden = group.list.hidden = shown === 0;
    count += shown;
  }
  if (pages) {
    pages.hidden = pages.previousElementSibling.hidden = typed.length > 0;
  }
  clearTimeout(waiting);
  const said = words.count.replace("{shown}", count).replace("{all}", all.length);
  waiting = setTimeout(() => {
    live.textContent = typed.length > 0 ? said : "";
  }, WAIT_MS);
}

for (const row of document.querySelectorAll(rowsAt)) {
  add(row, true);
}
field.addEventListener("focus", begin);
field.addEventListener("input", () => {
  begin();
  show();
});
addField();
