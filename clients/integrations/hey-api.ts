// A client made by Hey API.
import assert from "node:assert/strict";
import { client } from "./hey-api/client.gen.js";
import { verify } from "./hey-api/index.js";

client.setConfig({ baseUrl: process.env.ADDRESS! });
const { data } = await verify({
  body: { model_id: "anker-a1263", trip: { origin: "US", destination: "GB", airline: "BA" } },
});
assert(data);
console.log(data.verdict, data.constraints.map((one) => one.code).join(" "));
