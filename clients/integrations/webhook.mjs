// A delivery, checked with the library of Standard Webhooks: delivery.json has secret, headers and body.
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

const { secret, headers, body } = JSON.parse(readFileSync("delivery.json", "utf8"));
const webhook = new Webhook(secret);
console.log(webhook.verify(body, headers).type);
try {
  webhook.verify(body.replace("registered", "changed"), headers);
} catch {
  console.log("a changed delivery is refused");
  process.exit(0);
}
throw new Error("A changed delivery is taken.");
