/**
 * What an answer says about one power bank: is it the one of the question, and is nothing open about it?
 *
 * @module
 */

/** The ways to check a recall after which nothing else needs a check. */
const RECALL_CHECKS = new Set(["model_match", "pattern"]);

/**
 * Return whether each recall gives the serial number that was sent, or nothing if none was sent.
 *
 * @param {any} device
 * @param {string | undefined} serial
 * @returns {boolean}
 */
export function isAbout(device, serial) {
  return evaluations(device).every((one) =>
    serial === undefined ? one === null : one?.provided_serial === serial,
  );
}

/**
 * Return whether the watt-hours are known and no recall concerns the unit. Asked after `isAbout`.
 *
 * @param {any} device
 * @returns {boolean}
 */
export function isSettled(device) {
  return (
    device.watt_hour !== null &&
    device.recall_status === "not_affected" &&
    RECALL_CHECKS.has(device.recall_check_method) &&
    evaluations(device).every((one) => one === null || one.match_status === "not_affected")
  );
}

/**
 * Return what each recall says about the serial number that was sent; null if it says nothing.
 *
 * @param {any} device
 * @returns {any[]}
 */
function evaluations(device) {
  return device.recalls.map((/** @type {any} */ recall) => recall.serial_evaluation ?? null);
}
