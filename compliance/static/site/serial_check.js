/* Is this unit part of that recall? The browser decides as `recalls/serials.py` does, so no serial ever leaves it.

   `affected` needs an identifier that the recall's own pattern matches in full, or a recall of all units;
   `not_affected` needs the recall to say so; everything else is `unknown`, and unknown never clears a unit.
   Patterns are written for RE2. What cannot be said exactly as a RegExp is not guessed: it stays unknown.

   The first half decides and knows no page; `tests/recalls` holds it against Python. The second half makes the
   form of a page. It has no names and no action, sends nothing and stores nothing. */

const MAX_READINGS = 4096;
const MAX_CHARACTERS = 64;
const LOOK_ALIKES = ["O0", "I1L", "Z2", "S5", "B8"];
const READINGS = new Map(LOOK_ALIKES.flatMap((group) => [...group].map((character) => [character, group])));

// White space as Python splits at it, which is not quite that of \s.
const WHITE_SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

// Classes of ASCII alone, as RE2 has them.
const CLASSES = { d: "0-9", w: "0-9A-Za-z_", s: "\\t\\n\\f\\r\\x20" };
const POSIX = {
  alnum: "0-9A-Za-z", alpha: "A-Za-z", digit: "0-9", lower: "a-z", upper: "A-Z", xdigit: "0-9A-Fa-f",
};
const CONTROLS = { t: "\\t", n: "\\n", f: "\\f", r: "\\r", v: "\\v" };

export function normalize(identifier) {
  return identifier.normalize("NFKC").toUpperCase().replace(WHITE_SPACE, "");
}

/* Return what a recall knows of a unit: {match_status, match_method}. `serial` is as typed; null is none. */
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

/* Tell whether a look-alike reading matches, or there are too many readings to be sure. */
function mightMatch(pattern, identifier) {
  const choices = [...identifier].map((character) => [...(READINGS.get(character) ?? character)]);
  if (choices.reduce((count, choice) => count * choice.length, 1) > MAX_READINGS) {
    return true;
  }
  const readings = choices.reduce((known, choice) => known.flatMap((start) => choice.map((next) => start + next)), [""]);
  return readings.some((reading) => pattern.test(reading));
}

/* Return a pattern of RE2 as a RegExp for whole identifiers; null for one that this cannot say exactly. */
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

/* Reads a pattern piece by piece and writes what means the same here; throws `NotExact` at anything else. */
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

  /* Return alternatives up to a closing parenthesis, and whether they repeat something without end. */
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
      // RE2 takes the same time for any serial; a RegExp may take very long where repetitions are nested.
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

  /* Return one character as an escape, which means nothing else anywhere. */
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
const SHAPES = {
  affected: "M8 1h8l7 7v8l-7 7H8l-7-7V8zM8 8l8 8M16 8l-8 8",
  not_affected: "M12 1a11 11 0 1 1 0 22a11 11 0 1 1 0-22M7 12l4 4l6-8",
  unknown: "M12 2L23 22H1zM12 9v6M12 18v1",
};
const STRICTEST_FIRST = ["affected", "list", "unknown", "not_affected"];

/* Return the finding that counts where several recalls speak: the strictest. */
export function overall(findings) {
  return STRICTEST_FIRST.find((name) => findings.includes(name));
}

function findingOf({ match_status: status, match_method: method }) {
  return method === "external_list_required" ? "list" : status;
}

function shape(finding) {
  const drawing = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  path.setAttribute("d", SHAPES[finding] ?? SHAPES.unknown);
  drawing.append(path);
  return drawing;
}

function element(name, classes, ...children) {
  const made = document.createElement(name);
  made.className = classes;
  made.append(...children);
  return made;
}

function said(finding, { texts }, lists) {
  const word = element("strong", "", shape(finding), texts[finding].word);
  const line = element("p", "", texts[finding].sentence);
  if (finding === "list") {
    for (const url of lists) {
      const link = element("a", "", url);
      link.href = url;
      link.rel = "external noreferrer";
      line.append(" ", link);
    }
  }
  return element("div", `finding ${finding}`, word, line);
}

function check(page, inputs, result) {
  const usable = (typed) => normalize(typed) !== "" && [...typed].length <= MAX_CHARACTERS;
  const given = new Map([...inputs].map(([identifier, input]) => [identifier, input.value]).filter(([, typed]) => typed !== ""));
  if (given.size === 0 || ![...given.values()].every(usable)) {
    result.replaceChildren(element("p", "quiet", page.texts.empty));
    return;
  }
  const findings = page.recalls.map((recall) => findingOf(evaluate(recall, given.get(recall.identifier) ?? null)));
  const lists = new Set(page.recalls.map((recall) => recall.explicit_list_url).filter((url) => /^https?:/.test(url ?? "")));
  const parts = [said(overall(findings), page, lists)];
  if (findings.length > 1) {
    const each = page.recalls.map((recall, at) => element("li", "", `${recall.title}: `, element("strong", "", page.texts[findings[at]].word)));
    parts.push(element("ul", "", ...each));
  }
  result.replaceChildren(...parts);
}

function begin(place) {
  const page = JSON.parse(place.querySelector('script[type="application/json"]').textContent);
  const form = element("form", "serial-form");
  const result = element("div", "serial-result");
  const inputs = new Map();
  form.noValidate = true;
  result.setAttribute("aria-live", "polite");
  for (const { identifier, label, hint } of page.fields) {
    const input = element("input", "");
    Object.assign(input, { type: "text", autocomplete: "off", spellcheck: false, maxLength: MAX_CHARACTERS });
    input.setAttribute("autocapitalize", "characters");
    const words = [element("span", "", label), input];
    form.append(element("label", "", ...words, ...(hint ? [element("small", "", hint)] : [])));
    inputs.set(identifier, input);
    // What stands there speaks of what was typed before.
    input.addEventListener("input", () => result.replaceChildren());
  }
  const button = element("button", "", page.texts.button);
  button.type = "submit";
  form.append(button, element("p", "quiet", page.texts.privacy));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check(page, inputs, result);
  });
  place.querySelector(".by-hand").replaceWith(form, result);
}

if (typeof document !== "undefined") {
  document.querySelectorAll(".serial-check").forEach(begin);
}
