// Prints what an agent says, until it ends: node watch-agent.mjs http://127.0.0.1:52131 0198c1f2-…
import { argv, env } from "node:process";
import { createClient } from "@sm/router/client";

const [url, session_id] = argv.slice(2);
const client = createClient({ url, token: env.SESSION_MANAGER_TOKEN ?? null });
let shown = 0;
/** What comes while the history is read; `null` once that is shown. */
let early = null;

client.events({
  topics: [`live:${session_id}`],
  onEvent({ event, payload }) {
    if (event !== "live-session-event") return catchUp();
    if (early === null) show([payload]);
    else early.push(payload);
  },
});

/** At `hello`, which is first on every connection, and at `events-lost`. */
async function catchUp() {
  early = [];
  const { entries } = await client.call("get_coding_agent_entries", { session_id, after_seq: shown });
  const missed = [...entries, ...early];
  early = null;
  show(missed);
}

function show(entries) {
  for (const { seq, event } of entries) {
    if (seq <= shown) continue;
    shown = seq;
    if (event.type === "tool_execution_start") console.log(`> ${event.toolName} ${JSON.stringify(event.args)}`);
    if (event.type !== "message_end" || event.message.role !== "assistant") continue;
    for (const { type, text } of event.message.content) if (type === "text") console.log(text);
  }
  // Of a session that was resumed, it may stand in the middle too.
  if (entries.at(-1)?.event.type === "service_exit") client.close();
}
