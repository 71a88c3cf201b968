/* Is this unit part of that recall? The browser decides like `recalls/serials.py`, so no serial ever leaves it.

   `affected` needs an identifier that the recall's own pattern matches in full, or a recall of all units;
   `not_affected` needs the recall to say so; everything else is `unknown`, and unknown never clears a unit.
   Patterns are written for RE2. A pattern without an exact RegExp is not guessed: the result stays unknown.

   The first half decides and knows no page; `tests/recalls` compares it with Python. The second half makes the
   form of a page. The form has no names and no action, sends nothing and stores nothing. */

const MAX_READINGS = 4096;
const MAX_CHARACTERS = 64;
const LOOK_ALIKES = ["O0", "I1L", "Z2", "S5", "B8"];
const READINGS = new Map(LOOK_ALIKES.flatMap((group) => [...group].map((character) => [character, group])));

// White space as Python splits at it, which differs slightly from \s.
const WHITE_SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

// Classes of ASCII only, as in RE2.
const CLASSES = { d: "0-9", w: "0-9A-Za-z_", s: "\\t\\n\\f\\r\\x20" };
const POSIX = {
  alnum: "0-9A-Za-z", alpha: "A-Za-z", digit: "0-9", lower: "a-z", upper: "A-Z", xdigit: "0-9A-Fa-f",
};
const CONTROLS = { t: "\\t", n: "\\n", f: "\\f", r: "\\r", v: "\\v" };

export function normalize(identifier) {
  return identifier.normalize("NFKC").toUpperCase().replace(WHITE_SPACE, "");
}

/* Return what a recall says about a unit: {match_status, match_method}. `serial` is as typed, or null. */
export function evaluate(affected, serial) {
  if (affected.scope === "all_units") {
    return found("affected", "pattern");
  }
  const pattern = affected.pattern ?? null;
  if (serial !== null && pattern !== null) {
    const decided = byPattern(affected, normalize(serial));
    if (decided !== null) {
      return decided;
    }
  }
  const stillToTry = pattern !== null && serial === null;
  const list = (affected.explicit_list_url ?? null) !== null && !stillToTry;
  return found("unknown", list ? "external_list_required" : "none");
}

function found(status, method) {
  return { match_status: status, match_method: method };
}

function byPattern(affected, identifier) {
  const pattern = compile(affected.pattern);
  if (pattern === null) {
    return null;
  }
  if (pattern.test(identifier)) {
    return found("affected", "pattern");
  }
  const outside = affected.exhaustive === true || (compile(affected.not_affected_pattern ?? null)?.test(identifier) ?? false);
  // A letter from another alphabet can look like one of the pattern's own, so only ASCII is ever cleared.
  if (outside && /^[\x00-\x7f]*$/.test(identifier) && !mightMatch(pattern, identifier)) {
    return found("not_affected", "pattern");
  }
  return null;
}

/* Tell whether a look-alike reading matches, or whether there are too many readings to be sure. */
function mightMatch(pattern, identifier) {
  const choices = [...identifier].map((character) => [...(READINGS.get(character) ?? character)]);
  if (choices.reduce((count, choice) => count * choice.length, 1) > MAX_READINGS) {
    return true;
  }
  const readings = choices.reduce((known, choice) => known.flatMap((start) => choice.map((next) => start + next)), [""]);
  return readings.some((reading) => pattern.test(reading));
}

/* Return a pattern of RE2 as a RegExp for whole identifiers; null if there is no exact one. */
export function compile(pattern) {
  if (pattern === null) {
    return null;
  }
  try {
    const reader = new Reader(pattern);
    const source = reader.read();
    return new RegExp(`^(?:${source})$`, reader.flags);
  } catch {
    return null;
  }
}

class NotExact extends Error {}

/* Reads a pattern piece by piece and writes its exact equivalent; throws `NotExact` if there is none. */
class Reader {
  constructor(pattern) {
    this.rest = pattern;
    this.flags = "u";
    const flags = this.take(/^\(\?([is]+)\)/);
    if (flags !== null) {
      this.flags += [...new Set(flags[1])].join("");
    }
  }

  take(expected) {
    const taken = expected.exec(this.rest);
    if (taken !== null) {
      this.rest = this.rest.slice(taken[0].length);
    }
    return taken;
  }

  read() {
    const { source } = this.alternatives();
    if (this.rest !== "") {
      throw new NotExact();
    }
    return source;
  }

  /* Return alternatives up to a closing parenthesis, and whether they contain an unlimited repetition. */
  alternatives() {
    let source = "";
    let endless = false;
    while (this.rest !== "" && this.rest[0] !== ")") {
      if (this.take(/^\|/) !== null) {
        source += "|";
        continue;
      }
      const piece = this.piece();
      const times = this.take(/^(?:[*+?]|\{\d+(?:,\d*)?\})\??/)?.[0] ?? "";
      const repeated = /^(?:[*+]|\{\d+,\})/.test(times);
      // RE2 takes the same time for any serial; a RegExp may take very long with nested repetitions.
      if ((repeated || /^\{/.test(times)) && piece.endless) {
        throw new NotExact();
      }
      if (times !== "" && (piece.edge || /^[*+?]|^\{\d+(?:,\d*)?\}/.test(this.rest))) {
        throw new NotExact();
      }
      endless ||= repeated || piece.endless;
      source += piece.source + times;
    }
    return { source, endless };
  }

  piece() {
    if (/^\{\d+(?:,\d*)?\}/.test(this.rest)) {
      throw new NotExact();
    }
    if (this.take(/^\((?:\?:|\?P?<[A-Za-z_]\w*>)?(?!\?)/) !== null) {
      const { source, endless } = this.alternatives();
      if (this.take(/^\)/) === null) {
        throw new NotExact();
      }
      return { source: `(?:${source})`, endless };
    }
    if (this.take(/^(?:\^|\\A)/) !== null) {
      return { source: "(?<![\\s\\S])", edge: true };
    }
    if (this.take(/^(?:\$|\\z)/) !== null) {
      return { source: "(?![\\s\\S])", edge: true };
    }
    if (this.take(/^\./) !== null) {
      return { source: this.flags.includes("s") ? "[\\s\\S]" : "[^\\n]" };
    }
    if (this.take(/^\[/) !== null) {
      return { source: this.characterClass() };
    }
    const kind = this.take(/^\\([dDwWsS])/);
    if (kind !== null) {
      return { source: this.kindOf(kind[1]) };
    }
    return { source: this.character(/^[^*+?()|[\\^$.]/u) };
  }

  kindOf(letter) {
    const negated = letter !== letter.toLowerCase();
    return `[${negated ? "^" : ""}${CLASSES[letter.toLowerCase()]}]`;
  }

  characterClass() {
    let source = this.take(/^\^/) === null ? "[" : "[^";
    let first = true;
    while (first || this.take(/^\]/) === null) {
      first = false;
      const posix = this.take(/^\[:([a-z]+):\]/);
      const kind = posix === null ? this.take(/^\\([dws])/) : null;
      if (posix !== null || kind !== null) {
        source += (posix !== null ? POSIX[posix[1]] : CLASSES[kind[1]]) ?? this.refuse();
        continue;
      }
      if (this.rest.startsWith("[:")) {
        throw new NotExact();
      }
      source += this.character(/^[^\\]/u);
      if (this.take(/^-(?!\])/) !== null) {
        source += `-${this.character(/^[^\\[]/u)}`;
      }
    }
    return `${source}]`;
  }

  /* Return one character as an escape, which has one meaning everywhere. */
  character(plain) {
    const control = this.take(/^\\([tnfrv])/);
    if (control !== null) {
      return CONTROLS[control[1]];
    }
    const code = this.take(/^\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/);
    if (code !== null) {
      return `\\u{${code[1] ?? code[2]}}`;
    }
    const taken = this.take(/^\\([!-/:-@[-`{-~])/) ?? this.take(plain) ?? this.refuse();
    return `\\u{${(taken[1] ?? taken[0]).codePointAt(0).toString(16)}}`;
  }

  refuse() {
    throw new NotExact();
  }
}

/* --- The form of a page ------------------------------------------------------------------------------------ */

const SVG = "http://www.w3.org/2000/svg";

const SQUARE = "M4 1h16a3 3 0 0 1 3 3v16a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3z";
const QUESTION_MARK = "M8.7 9a3.3 3.3 0 1 1 4.6 3c-.9.4-1.3 1-1.3 2M12 18v.01";

/* The looks of findings, the strictest first, with the colors and shapes of verdicts (`aeo.pages.shapes`). */
const LOOKS = {
  affected: { color: "banned", body: "M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z", sign: "M8 8l8 8M16 8l-8 8" },
  list: { color: "insufficient", body: SQUARE, sign: QUESTION_MARK },
  unknown: { color: "insufficient", body: SQUARE, sign: QUESTION_MARK },
  not_affected: { color: "conditional", body: "M12 .5L23.5 12 12 23.5.5 12z", sign: "M12 6.5v6.5M12 17v.01" },
};

/* Return the finding that counts among those of several recalls. */
export function strictest(findings) {
  return Object.keys(LOOKS).find((name) => findings.includes(name));
}

function findingOf({ match_status: status, match_method: method }) {
  return method === "external_list_required" ? "list" : status;
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, value);
  }
  made.append(...children);
  return made;
}

function drawing({ body, sign }) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "shape");
  svg.setAttribute("aria-hidden", "true");
  for (const [kind, shape] of [["body", body], ["sign", sign]]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", kind);
    path.setAttribute("d", shape);
    svg.append(path);
  }
  return svg;
}

/* Return the answer in words: the finding that counts, and each recall by name if there are several. */
function answer(page, findings) {
  const counts = strictest(findings);
  const { word, sentence } = page.findings[counts];
  const said = element("p", { class: "lead" }, sentence);
  if (counts === "list") {
    const lists = page.recalls.filter((recall, at) => findings[at] === "list").map((recall) => recall.explicit_list_url);
    for (const url of new Set(lists)) {
      said.append(" ", element("a", { href: url, rel: "external noreferrer" }, url));
    }
  }
  const box = element("div", { class: `banner ${LOOKS[counts].color}` });
  box.append(element("p", { class: "word" }, drawing(LOOKS[counts]), word), said);
  if (findings.length > 1) {
    const lines = page.recalls.map((recall, at) => {
      const own = page.findings[findings[at]].word;
      return element("li", {}, `${recall.name}: `, element("strong", {}, own));
    });
    box.append(element("ul", {}, ...lines));
  }
  return box;
}

/* Return a form with a field for each identifier, and a place for the answer, which screen readers announce. */
function formOf(page) {
  const form = element("form", { class: "card", autocomplete: "off", novalidate: "" });
  const result = element("div", { "aria-live": "polite", class: "serial-answer" });
  const inputs = new Map();
  for (const { identifier, label } of page.fields) {
    const input = element("input", {
      class: "input", id: `check-${identifier}`, type: "text", maxlength: MAX_CHARACTERS,
      autocomplete: "off", autocapitalize: "characters", autocorrect: "off", spellcheck: "false",
    });
    // The answer is about the previous input.
    input.addEventListener("input", () => result.replaceChildren());
    form.append(element("div", { class: "field" }, element("label", { for: input.id }, label), input));
    inputs.set(identifier, input);
  }
  form.append(element("button", { class: "button", type: "submit" }, page.button));
  form.append(element("p", { class: "hint" }, page.privacy));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = new Map([...inputs].map(([identifier, input]) => [identifier, input.value]));
    result.replaceChildren(answerTo(page, typed));
  });
  return [form, result];
}

function answerTo(page, typed) {
  const given = [...typed.values()].filter((serial) => normalize(serial) !== "");
  if (given.length === 0 || given.some((serial) => [...serial].length > MAX_CHARACTERS)) {
    return element("p", {}, page.empty);
  }
  const findings = page.recalls.map((recall) => {
    const serial = typed.get(recall.identifier) ?? "";
    return findingOf(evaluate(recall, normalize(serial) === "" ? null : serial));
  });
  return answer(page, findings);
}

if (typeof document !== "undefined") {
  for (const place of document.querySelectorAll(".serial-check")) {
    const page = JSON.parse(place.querySelector('script[type="application/json"]').textContent);
    place.querySelector(".by-hand").replaceWith(...formOf(page));
  }
}
