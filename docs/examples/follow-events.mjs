// Prints what happens to sessions, until it is interrupted: node follow-events.mjs http://127.0.0.1:52131
import { argv, env } from "node:process";
import { createClient } from "@sm/router/client";

const client = createClient({ url: argv[2], token: env.SESSION_MANAGER_TOKEN ?? null });
/** Titles by path: a session that is gone is told by its path alone. */
const titles = new Map();

function note(what, { path, title }) {
  titles.set(path, title);
  console.log(`${what}: ${title}`);
}

async function load() {
  const sessions = await client.call("scan_sessions");
  for (const { path, title } of sessions) titles.set(path, title);
  console.log(`${sessions.length} sessions`);
}

client.events({
  topics: ["sessions"],
  onEvent({ event, payload }) {
    // Everything after the first is told; after the second, something was not.
    if (event === "hello" || event === "events-lost") return load();
    if (event !== "sessions-diff") return;
    for (const session of payload.added) note("new", session);
    for (const session of payload.updated) note("changed", session);
    for (const path of payload.removed) console.log(`gone: ${titles.get(path) ?? path}`);
  },
  onState(state, error) {
    if (error !== null) console.error(`${state}: ${error.message}`);
  },
});
