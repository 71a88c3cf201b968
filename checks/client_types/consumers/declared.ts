/** The declarations of the client for JavaScript say what its code has: no less, no more, and the same types. */

import type * as declared from "battery-travel";

import { Answer, ItineraryAnswer, Passenger } from "./node_modules/battery-travel/src/answer.js";
import { Client, VERSION } from "./node_modules/battery-travel/src/client.js";
import { Lookup } from "./node_modules/battery-travel/src/lookup.js";
import { CODES } from "./node_modules/battery-travel/src/reasons.js";

type SameNames<Code, Declared> = [keyof Code, keyof Declared] extends [keyof Declared, keyof Code] ? true : never;

/** What the code has is what is declared. A parameter of this type takes only `true`. */
export function agree(
  _client: SameNames<Client, declared.Client>,
  _answer: SameNames<Answer, declared.Answer>,
  _itinerary: SameNames<ItineraryAnswer, declared.ItineraryAnswer>,
  _passenger: SameNames<Passenger, declared.Passenger>,
  _lookup: SameNames<Lookup<declared.Model>, declared.Lookup<declared.Model>>,
): void {}

agree(true, true, true, true, true);

export function of(
  client: Client,
  answer: Answer<declared.VerifyRequest>,
  itinerary: ItineraryAnswer,
  passenger: Passenger,
  lookup: Lookup<declared.Recall>,
): [
  declared.Client,
  declared.Answer<declared.VerifyRequest>,
  declared.ItineraryAnswer,
  declared.Passenger,
  declared.Lookup<declared.Recall>,
] {
  return [client, answer, itinerary, passenger, lookup];
}

export const constants: [string, readonly declared.Code[]] = [VERSION, CODES];
