import type { ClientEvent } from "@sm/router/client";
import { type Connection, call } from "../connection/connection.ts";
import { processEvents } from "../connection/process-events.ts";
import type { Shell } from "../shell.ts";
import { LiveText } from "./live-text.ts";

/**
 * Prints recorded and further output of a live session's agent until it ends: as a conversation, or with `--json` one
 * line per record.
 */
export async function followLive(sessionId: string, connection: Connection, shell: Shell): Promise<void> {
  const text = new LiveText(shell);
  let shown = 0;

  function show(seq: number, event: object): void {
    if (seq <= shown) return;
    shown = seq;
    if (shell.json) shell.writeJsonLine({ seq, event });
    else text.show(event);
  }

  /** Prints recorded output that was not printed yet; deltas of completed messages are not recorded. */
  async function catchUp(): Promise<void> {
    const page = await call(connection, "get_coding_agent_entries", { session_id: sessionId, after_seq: shown });
    for (const { seq, event } of page.entries) show(seq, event);
    shown = Math.max(shown, page.next_seq);
  }

  /** Returns whether the agent has ended. */
  async function take(event: ClientEvent): Promise<boolean> {
    switch (event.event) {
      case "hello":
      case "events-lost": {
        await catchUp();
        const sessions = await call(connection, "get_coding_live_sessions", {});
        return !sessions.some(({ session_id, state }) => session_id === sessionId && state !== "exited");
      }
      case "live-session-event": {
        const { seq, event: record } = event.payload;
        if (seq > shown + 1) await catchUp();
        show(seq, record);
        return false;
      }
      case "live-session": {
        const { session_id, state } = event.payload;
        if (session_id !== sessionId || state !== "exited") return false;
        await catchUp();
        return true;
      }
      default:
        return false;
    }
  }

  await processEvents(connection, ["live", `live:${sessionId}`], take);
  if (!shell.json) shell.note("The agent has exited.");
}
