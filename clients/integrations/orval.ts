// A client made by orval.
import assert from "node:assert/strict";
import { verify } from "./orval-client.js";

const answer = await verify({
  model_id: "anker-a1263",
  trip: { origin: "US", destination: "GB", airline: "BA" },
});
assert(answer.status === 200);
console.log(answer.data.verdict, answer.data.constraints.map((one) => one.code).join(" "));
