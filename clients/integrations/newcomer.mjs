// A first verdict with our client for JavaScript.
import { Client } from "battery-travel";

const client = new Client(process.env.ADDRESS);
const answer = await client.verify({
  model_id: "anker-a1263",
  trip: { origin: "US", destination: "GB", airline: "BA" },
});
console.log(answer.clearToPack() ? "clear to pack" : answer.whyNot().message);
