/**
 * Reads the text of a body as a record, or finds that it is not one. An answer may grow, so unknown fields are
 * ignored. What the contract promises must be present, with the right type: a body that breaks one promise may
 * break others.
 *
 * @module
 */

import { dateTime } from "./instants.js";

/**
 * @typedef {import("./index.js").Share} Share
 * @typedef {import("./index.js").Constraint} Constraint
 * @typedef {import("./index.js").Advice} Advice
 * @typedef {import("./index.js").Citation} Citation
 * @typedef {import("./index.js").Device} Device
 * @typedef {import("./index.js").NextStep} NextStep
 * @typedef {import("./index.js").Segment} Segment
 * @typedef {import("./index.js").Problem} Problem
 * @typedef {import("./index.js").Model} Model
 * @typedef {import("./index.js").Recall} Recall
 * @typedef {import("./index.js").ListedCode} ListedCode
 */

/**
 * @template T
 * @typedef {Readonly<{found: readonly T[], total: number, ruleset_version: string | null}>} Result What a look-up says.
 */

/**
 * @typedef {Readonly<{passenger: number, shares: readonly Share[], verdict: string}>} Bag What one passenger carries.
 * @typedef {Readonly<{bags: readonly Bag[], stays: readonly Share[], notCleared: ReadonlySet<string>,
 *   others: boolean}>} Packing
 *   Who carries what, and the units that are not cleared. `others`: it has parts that this client does not know.
 * @typedef {Readonly<{verdict: string, verdict_id: string, ruleset_version: string, generated_at: number,
 *   expires_at: number, summary: string, device: Device | null, packing: Packing | null, constraints: readonly Constraint[],
 *   warnings: readonly Advice[], citations: readonly Citation[], segments: readonly Segment[],
 *   next_step: NextStep | null, body: any}>} Record_
 */

/** A text of a JSON document, and the colon after it if it is a name. */
const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"\s*(:?)/g;

/** The figures that may be printed on a unit. */
const LABEL = ["watt_hour", "capacity_mah", "voltage"];

/** The parts of `packing` with items that are not cleared, and all parts that this client knows. */
const NOT_CLEARED = ["move_to_cabin", "undecided"];
const PACKING = new Set(["passengers", "stays", "may_travel", ...NOT_CLEARED]);

/** A body that breaks the contract. The error names the field, and quotes nothing. */
export class Malformed extends Error {
  /**
   * @param {string} message
   * @param {string | null} [field]
   */
  constructor(message, field = null) {
    super(message);
    this.field = field;
  }
}

/** An object of a body, read field by field. Every method throws `Malformed`. */
class Fields {
  /**
   * @param {any} value
   * @param {string} [name]
   */
  constructor(value, name = "") {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Malformed(`${name ? `\`${name}\`` : "The body"} is not an object.`, name || null);
    }
    this.value = value;
    this.prefix = name ? `${name}.` : "";
  }

  /** @param {string} name @returns {any} */
  get(name) {
    return Object.hasOwn(this.value, name) ? this.value[name] : undefined;
  }

  /** @param {string} name @returns {string} */
  text(name) {
    const value = this.get(name);
    return typeof value === "string" && value ? value : this.wrong(name);
  }

  /** @param {string} name @returns {string | null} */
  optionalText(name) {
    return this.get(name) == null ? null : this.text(name);
  }

  /** @param {string} name @returns {number} */
  instant(name) {
    const value = dateTime(this.text(name));
    return Number.isNaN(value) ? this.wrong(name) : value;
  }

  /** @param {string} name @returns {number} */
  wholeNumber(name) {
    const value = this.get(name);
    return Number.isInteger(value) ? value : this.wrong(name);
  }

  /** A whole number above zero. @param {string} name @returns {number} */
  count(name) {
    const value = this.wholeNumber(name);
    return value > 0 ? value : this.wrong(name);
  }

  /** A number above zero, or null. A missing number is an error. @param {string} name @returns {number | null} */
  optionalNumber(name) {
    const value = this.get(name);
    if (value === null) return null;
    return Number.isFinite(value) && value > 0 ? value : this.wrong(name);
  }

  /** @param {string} name @returns {Fields} */
  object(name) {
    return new Fields(this.get(name), `${this.prefix}${name}`);
  }

  /** @param {string} name @returns {any[]} */
  list(name) {
    const value = this.get(name);
    return Array.isArray(value) ? value : this.wrong(name);
  }

  /**
   * @template T
   * @param {string} name
   * @param {(item: Fields) => T} read
   * @returns {readonly T[]}
   */
  items(name, read) {
    return Object.freeze(
      this.list(name).map((item) => read(new Fields(item, `${this.prefix}${name}[]`))),
    );
  }

  /** @param {string} name @returns {string[]} */
  texts(name) {
    return this.list(name).map((value) => (typeof value === "string" ? value : this.wrong(name)));
  }

  /** @param {string} name @returns {never} */
  wrong(name) {
    const path = this.prefix + name;
    throw new Malformed(`\`${path}\` is missing or has a wrong type.`, path);
  }
}

/**
 * Return the JSON of a body, without repeated names. Throws `Malformed`.
 *
 * @param {Uint8Array} content
 * @returns {any}
 */
export function parsed(content) {
  let counted = 0;
  let written = 0;
  let value;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    value = JSON.parse(text, function (name, part) {
      if (!Array.isArray(this)) counted += 1;
      return part;
    });
    for (const [, colon] of text.matchAll(TEXT)) if (colon) written += 1;
  } catch {
    throw new Malformed("The body is not JSON.");
  }
  // A repeated name has two meanings, and readers differ in which one they take. `counted` also counts the body
  // itself.
  if (written !== counted - 1) throw new Malformed("The body is not JSON.");
  return value;
}

/**
 * Return the answer of POST /api/verify. Throws `Malformed`.
 *
 * @param {any} body
 * @returns {Record_}
 */
export function verifyRecord(body) {
  const fields = new Fields(body);
  fields.texts("verdict_path");
  return Object.freeze({
    ...stamps(fields, "verdict_id", "vdt_"),
    device: deviceOf(fields.object("device_resolved")),
    packing: null,
    constraints: fields.items("constraints", constraint),
    warnings: fields.items("warnings", advice),
    citations: fields.items("citations", citation),
    segments: Object.freeze([]),
    next_step: nextStep(body),
    body,
  });
}

/**
 * Return the answer of POST /api/trips/verify. Throws `Malformed`.
 *
 * @param {any} body
 * @returns {Record_}
 */
export function tripRecord(body) {
  const fields = new Fields(body);
  const device = fields.object("device_resolved");
  // The segments of earlier versions of the service say nothing of constraints and warnings.
  const saying = (/** @type {string} */ name) =>
    fields.items("segments", (one) => one).filter((one) => one.get(name) !== undefined);
  return Object.freeze({
    ...stamps(fields, "trip_verdict_id", "trip_"),
    device: Object.freeze({
      model_id: device.text("model_id"),
      watt_hour: device.optionalNumber("watt_hour"),
      brand: null,
      model_name: null,
    }),
    packing: null,
    constraints: eachOnce(saying("constraints").flatMap((one) => one.items("constraints", constraint))),
    warnings: eachOnce(saying("warnings").flatMap((one) => one.items("warnings", advice))),
    citations: Object.freeze([]),
    segments: fields.items("segments", segment),
    next_step: nextStep(body),
    body,
  });
}

/**
 * Return the answer of POST /api/itineraries/verify. Throws `Malformed`.
 *
 * @param {any} body
 * @returns {Record_}
 */
export function itineraryRecord(body) {
  const fields = new Fields(body);
  fields.items("items", readItem);
  const segments = fields.items("segments", flight);
  const said = fields.items("segments", (one) => one);
  return Object.freeze({
    ...stamps(fields, "itinerary_verdict_id", "itn_"),
    device: null,
    packing: packing(fields.object("packing")),
    constraints: eachOnce(said.flatMap((one) => one.items("constraints", constraint))),
    warnings: eachOnce(said.flatMap((one) => one.items("warnings", advice))),
    citations: fields.items("citations", citation),
    segments,
    next_step: said.map((one) => nextStep(one.value)).find((step) => step !== null) ?? null,
    body,
  });
}

/**
 * Return the answer of GET /api/devices. Throws `Malformed`.
 *
 * @param {any} body
 * @returns {Result<Model>}
 */
export function modelsFound(body) {
  const fields = new Fields(body);
  return Object.freeze({ found: fields.items("devices", model), ...counted(fields) });
}

/**
 * Return the answer of GET /api/codes, with its texts in a language. Throws `Malformed`.
 *
 * @param {any} body
 * @param {string} language
 * @returns {Result<ListedCode>}
 */
export function codesFound(body, language) {
  const fields = new Fields(body);
  const found = fields.items("codes", (item) => code(item, language));
  const total = fields.count("total");
  if (total !== found.length) throw new Malformed("`codes` is not the whole list.", "codes");
  return Object.freeze({ found, total, ruleset_version: null });
}

/**
 * Return the answer of GET /api/devices/{model_id}/recalls. Throws `Malformed`. An answer about another model says
 * nothing about this one, and neither does a list that is not whole.
 *
 * @param {any} body
 * @param {string} modelId
 * @returns {Result<Recall>}
 */
export function recallsFound(body, modelId) {
  if (new Fields(body).object("device").text("model_id") !== modelId) {
    throw new Malformed("`device.model_id` is another model.", "device.model_id");
  }
  return recallsOf(body, modelId);
}

/**
 * Return the answer of POST /api/recalls/check; without a serial, its hash was sent. Throws `Malformed`. Each recall
 * has to say something about this very unit.
 *
 * @param {any} body
 * @param {string} modelId
 * @param {string | undefined} serial
 * @returns {Result<Recall>}
 */
export function recallsChecked(body, modelId, serial) {
  const result = recallsOf(body, modelId);
  for (const one of new Fields(body).items("recalls", (item) => item.object("serial_evaluation"))) {
    if (serial !== undefined && one.text("provided_serial") !== serial) {
      throw new Malformed("`recalls[].serial_evaluation` is about another unit.", "recalls[].serial_evaluation");
    }
  }
  return result;
}

/**
 * @param {any} body
 * @param {string} modelId
 * @returns {Result<Recall>}
 */
function recallsOf(body, modelId) {
  const fields = new Fields(body);
  const found = fields.items("recalls", recall);
  if (found.some((one) => one.model_id !== modelId)) {
    throw new Malformed("`recalls[].model_id` is another model.", "recalls[].model_id");
  }
  const numbers = counted(fields);
  if (numbers.total !== found.length) throw new Malformed("`recalls` is not the whole list.", "recalls");
  return Object.freeze({ found, ...numbers });
}

/**
 * Return the status of each item of a batch. Throws `Malformed`.
 *
 * @param {any} body
 * @param {number} count How many questions were asked.
 * @returns {readonly number[]}
 */
export function statusesIn(body, count) {
  const items = new Fields(body).items("items", (item) => [item.wholeNumber("index"), item.wholeNumber("status")]);
  if (items.length !== count || !items.every(([index], at) => index === at)) {
    throw new Malformed("`items` are not those of the questions.", "items");
  }
  return items.map(([, status]) => status);
}

/** @param {Fields} fields */
function counted(fields) {
  return { total: fields.wholeNumber("total"), ruleset_version: fields.text("ruleset_version") };
}

/** @param {Fields} item @returns {Model} */
function model(item) {
  return Object.freeze({
    model_id: item.text("model_id"),
    brand: item.text("brand"),
    model_name: item.text("model_name"),
    model_number: item.optionalText("model_number"),
    watt_hour: item.optionalNumber("watt_hour"),
    capacity_mah: item.get("capacity_mah") == null ? null : item.count("capacity_mah"),
    recall_count: item.wholeNumber("recall_count"),
  });
}

/** @param {Fields} item @param {string} language @returns {ListedCode} */
function code(item, language) {
  return Object.freeze({
    code: item.text("code"),
    kind: item.text("kind"),
    since: item.text("since"),
    sentences: item.items("sentences", (sentence) => {
      const texts = sentence.object("text");
      return texts.text(texts.get(language) === undefined ? "en" : language);
    }),
    nature: item.optionalText("nature"),
    severity: item.optionalText("severity"),
    status: item.get("status") == null ? null : item.count("status"),
    title: item.optionalText("title"),
    written_as: item.optionalText("written_as"),
  });
}

/** @param {Fields} item @returns {Recall} */
function recall(item) {
  const affected = item.object("affected_serials");
  return Object.freeze({
    recall_id: item.text("recall_id"),
    model_id: item.text("model_id"),
    title: item.text("title"),
    hazard: item.text("hazard"),
    remedy: item.text("remedy"),
    authority: item.text("authority"),
    announced_on: item.text("announced_on"),
    notice_url: item.text("notice_url"),
    identifier: affected.text("identifier"),
    pattern: affected.optionalText("pattern"),
    list_url: affected.optionalText("explicit_list_url"),
    match_status:
      item.get("serial_evaluation") === undefined ? null : item.object("serial_evaluation").text("match_status"),
  });
}

/**
 * Return an error as the service describes it; null if the body does not describe one.
 *
 * @param {number} status
 * @param {any} body
 * @returns {Problem | null}
 */
export function problem(status, body) {
  return orNull(() => {
    const fields = new Fields(body);
    return Object.freeze({
      status,
      code: fields.text("code"),
      title: fields.text("title"),
      detail: fields.text("detail"),
      request_id: fields.text("request_id"),
      errors:
        fields.get("errors") === undefined
          ? Object.freeze([])
          : fields.items("errors", (item) =>
              Object.freeze({
                field: item.text("field"),
                code: item.text("code"),
                message: item.text("message"),
              }),
            ),
      next_step: nextStep(body),
    });
  });
}

/**
 * Return the suggested next step. It is for people, so one that cannot be read is left out.
 *
 * @param {any} body
 * @returns {NextStep | null}
 */
function nextStep(body) {
  return orNull(() => {
    const step = new Fields(body).object("suggested_next_step");
    return Object.freeze({
      code: step.text("code"),
      message: step.text("message"),
      url: step.optionalText("url"),
    });
  });
}

/**
 * @param {Fields} fields
 * @param {string} idName
 * @param {string} idPrefix
 */
function stamps(fields, idName, idPrefix) {
  const verdict_id = fields.text(idName);
  if (!verdict_id.startsWith(idPrefix)) throw new Malformed(`\`${idName}\` is not the id of a verdict.`, idName);
  return {
    verdict: fields.text("verdict"),
    verdict_id,
    ruleset_version: fields.text("ruleset_version"),
    generated_at: fields.instant("generated_at"),
    expires_at: fields.instant("expires_at"),
    summary: fields.text("summary"),
  };
}

/** @param {Fields} item @returns {Constraint} */
function constraint(item) {
  return Object.freeze({ code: item.text("code"), message: item.text("message"), rule_ids: ruleIds(item) });
}

/** @param {Fields} item @returns {Advice} */
function advice(item) {
  return Object.freeze({
    code: item.text("code"),
    severity: item.text("severity"),
    message: item.text("message"),
    rule_ids: ruleIds(item),
  });
}

/**
 * Return the rules behind a claim. Earlier versions of the service do not name them.
 *
 * @param {Fields} item
 * @returns {readonly string[]}
 */
function ruleIds(item) {
  return Object.freeze(item.get("rule_ids") === undefined ? [] : item.texts("rule_ids"));
}

/** @param {Fields} item @returns {Citation} */
function citation(item) {
  return Object.freeze({
    kind: item.text("kind"),
    authority: item.text("authority"),
    jurisdiction: item.optionalText("jurisdiction"),
    url: item.text("url"),
    pulled_at: item.optionalText("pulled_at"),
  });
}

/** @param {Fields} device @returns {Device} */
function deviceOf(device) {
  // What is read here for its presence alone is judged later.
  device.text("recall_status");
  device.text("recall_check_method");
  device.items("recalls", (recall) => recall.text("recall_id"));
  return Object.freeze({
    model_id: device.text("model_id"),
    watt_hour: device.optionalNumber("watt_hour"),
    brand: device.text("brand"),
    model_name: device.text("model_name"),
  });
}

/**
 * Return what the flights say, each claim once, with the rules of all flights that make it.
 *
 * @template {Constraint} T
 * @param {T[]} said
 * @returns {readonly T[]}
 */
function eachOnce(said) {
  /** @type {Map<string, T>} */
  const found = new Map();
  for (const one of said) {
    const key = JSON.stringify({ ...one, rule_ids: null });
    const rule_ids = Object.freeze([...new Set([...(found.get(key)?.rule_ids ?? []), ...one.rule_ids])]);
    found.set(key, Object.freeze({ ...one, rule_ids }));
  }
  return Object.freeze([...found.values()]);
}

/** Reads an item of an itinerary. Its fields are judged later. @param {Fields} item */
function readItem(item) {
  item.text("verdict");
  share(item);
  if (item.get("label") === undefined) {
    deviceOf(item.object("device_resolved"));
    return;
  }
  const label = item.object("label");
  for (const name of LABEL) if (label.get(name) !== undefined) label.optionalNumber(name);
}

/** @param {Fields} item @returns {Packing} */
function packing(item) {
  const has = (/** @type {string} */ name) => item.get(name) !== undefined;
  if (has("may_travel")) item.object("may_travel").text("verdict");
  return Object.freeze({
    bags: item.items("passengers", (bag) =>
      Object.freeze({
        passenger: bag.wholeNumber("passenger"),
        shares: bag.items("items", share),
        verdict: bag.text("verdict"),
      }),
    ),
    stays: has("stays") ? item.items("stays", share) : Object.freeze([]),
    notCleared: new Set(NOT_CLEARED.flatMap((name) => (has(name) ? item.texts(name) : []))),
    others: Object.keys(item.value).some((name) => !PACKING.has(name)),
  });
}

/** @param {Fields} item @returns {Share} */
function share(item) {
  return Object.freeze({ ref: item.text("ref"), quantity: item.count("quantity") });
}

/**
 * Reads a flight of an itinerary. What it says of each item is judged later.
 *
 * @param {Fields} item
 * @returns {Segment}
 */
function flight(item) {
  const stated = item.text("verdict");
  item.text("date");
  item.items("constraints", (one) => one.texts("refs"));
  item.items("items", (one) => [one.text("ref"), one.text("verdict"), one.texts("decided_by")]);
  const operating = item.optionalText("operating_airline");
  const marketing = item.optionalText("marketing_airline");
  return Object.freeze({
    index: item.wholeNumber("index"),
    origin: item.optionalText("origin_airport") ?? item.text("origin"),
    destination: item.optionalText("destination_airport") ?? item.text("destination"),
    airline: operating ?? marketing ?? item.text("operating_airline"),
    verdict_id: null,
    obstacle: stated === "allowed" ? null : stated,
    error: errorOf(item),
  });
}

/** @param {Fields} item @returns {string | null} */
function errorOf(item) {
  return item.get("error") == null ? null : item.object("error").text("code");
}

/**
 * @param {Fields} item
 * @returns {Segment}
 */
function segment(item) {
  const verdict = item.object("verdict");
  const stated = verdict.text("verdict");
  // What is read here for its presence alone is judged later.
  verdict.text("ruleset_version");
  return Object.freeze({
    index: item.wholeNumber("index"),
    origin: item.text("origin"),
    destination: item.text("destination"),
    airline: item.text("airline"),
    verdict_id: verdict.text("verdict_id"),
    obstacle: stated === "allowed" ? null : stated,
    error: errorOf(item),
  });
}

/**
 * @template T
 * @param {() => T} read
 * @returns {T | null}
 */
function orNull(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}
