// A receipt, checked with jose: answer.json, receipt.txt and jwks.json are of the service.
import { readFileSync } from "node:fs";
import canonicalize from "canonicalize";
import { createLocalJWKSet, flattenedVerify } from "jose";

const read = (name) => readFileSync(name, "utf8");
const answer = JSON.parse(read("answer.json"));
const [header, , signature] = read("receipt.txt").trim().split(".");
const keys = createLocalJWKSet(JSON.parse(read("jwks.json")));
const check = (content) =>
  flattenedVerify(
    { protected: header, payload: Buffer.from(canonicalize(content)).toString("base64url"), signature },
    keys,
    { algorithms: ["EdDSA", "Ed25519"] },
  );

await check(answer);
const forged = await check({ ...answer, verdict: "allowed" }).then(() => "is taken", () => "is refused");
if (forged !== "is refused") throw new Error("A changed answer is taken.");
console.log("ours; a changed answer", forged);
