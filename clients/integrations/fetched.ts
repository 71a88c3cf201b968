// Types made by openapi-typescript, requests by openapi-fetch.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { paths } from "./fetched-types.js";

const client = createClient<paths>({ baseUrl: process.env.ADDRESS! });

const found = await client.GET("/api/devices", { params: { query: { q: "anker a1263" } } });
const model_id = found.data?.devices[0]?.model_id;
assert(model_id);

const answer = await client.POST("/api/verify", {
  body: { model_id, trip: { origin: "US", destination: "GB", airline: "BA" } },
});
assert(answer.data);
console.log(answer.data.verdict, answer.data.constraints.map((one) => one.code).join(" "));

const refused = await client.POST("/api/verify", {
  body: { model_id, trip: { origin: "US", destination: "GB", airline: "ba" } },
});
assert(refused.error);
console.log(refused.error.status, refused.error.code);
