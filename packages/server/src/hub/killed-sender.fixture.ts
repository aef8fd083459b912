import { join } from "node:path";
import { openLibrary } from "@sm/core/node";
import { HubConnection } from "./hub-connection.ts";
import { HubSender } from "./hub-sender.ts";

// Sends the sessions of a folder to a hub until it is killed. Prints a line when it has begun.

const [directory = "", url = "", tokenFile = ""] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: (fields: object) => console.error(fields) };

const library = await openLibrary({
  agentDir: join(directory, "agent"),
  agentHome: directory,
  sessionPaths: [],
  dataDir: join(directory, "data"),
  log,
});
library.outbox.settings = { projects: null, formats: null, redaction: null };
new HubSender({ outbox: library.outbox, connection: new HubConnection({ url, tokenFile }), log, firstDelayMs: 20 });
console.log("sending");
setInterval(() => undefined, 60_000);
