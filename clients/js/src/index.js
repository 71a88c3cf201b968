/**
 * May this power bank travel on this flight? A client that fails closed, without dependencies, for Node,
 * Deno, Bun and browsers.
 *
 *     import { Client } from "battery-travel";
 *
 *     const client = new Client("https://example.org");
 *     const answer = await client.verify({
 *       model_id: "anker-a1289",
 *       trip: { origin: "AE", destination: "GB", airline: "EK" },
 *     });
 *     if (answer.clearToPack()) console.log(answer.summary);
 *     else console.log("Not cleared:", answer.whyNot()?.message);
 *
 * `answer.clearToPack()` is the only green light. It is false for every other verdict, every error, a time-out,
 * an answer that has expired or cannot be read, and if clocks disagree.
 *
 * @module
 */

export { Answer, ItineraryAnswer, Passenger } from "./answer.js";
export { Client, VERSION } from "./client.js";
export { Lookup } from "./lookup.js";
export { CODES } from "./reasons.js";
