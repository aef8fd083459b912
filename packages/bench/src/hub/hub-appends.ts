import { setTimeout as pause } from "node:timers/promises";
import type { SessionRecord } from "@sm/core";
import type { WebSocket } from "ws";
import type { GrowingSession } from "../corpus/growing-session.ts";
import { percentile } from "../measure/percentile.ts";
import { recordEvent } from "../measure/record-event.ts";
import { openSocket } from "../measure/socket.ts";
import { type BenchRow, judge } from "../report.ts";
import type { CountingWire } from "./counting-wire.ts";
import type { HubStack } from "./hub-stack.ts";
import { usedFor } from "./used-time.ts";

const APPENDS = 100;
const MAX_GAP_MS = 200;
const TIMEOUT_MS = 30_000;
const KIBIBYTE = 1024;

/** From a line on the disk of a machine, which sends to the first server, to a page at the second one. */
export async function hubAppends(
  session: GrowingSession,
  { stack, token, wire }: { stack: HubStack; token: string; wire: CountingWire },
): Promise<BenchRow[]> {
  const socket = await openSocket(stack.urls[1] ?? "", { Authorization: `Bearer ${token}` });
  try {
    // Events are for those who have asked for something.
    socket.send(JSON.stringify({ command: "ping", payload: {} }));
    await appendAndHear(socket, session, "The first line.");
    const times: number[] = [];
    let lineBytes = 0;
    await pause(1_000);
    const before = { wire: wire.bytes, used: stack.processorTimes(), log: await stack.logBytes() };
    for (let append = 0; append < APPENDS; append++) {
      await pause(Math.random() * MAX_GAP_MS);
      const text = `Go on with number ${append}.`;
      const { ms, bytes } = await appendAndHear(socket, session, text);
      times.push(ms);
      lineBytes += bytes;
    }
    await pause(1_000);
    const perLine = (wire.bytes - before.wire - lineBytes) / APPENDS / KIBIBYTE;
    const used = usedFor(APPENDS, before.used, stack.processorTimes());
    const logged = ((await stack.logBytes()) - before.log) / APPENDS / KIBIBYTE;
    const what = "one appended line, from the machine's disk to a page at another server";
    return [
      judge({ what: `${what}, median`, measured: percentile(times, 0.5), unit: "ms" }),
      judge({ what: `${what}, p99`, measured: percentile(times, 0.99), unit: "ms", atMost: 1_500, note: used }),
      judge({
        what: "on the wire beside an appended line, both directions, HTTP included",
        measured: Math.max(0, perLine),
        unit: "KiB",
        atMost: 4,
      }),
      judge({ what: "written to PostgreSQL's log for an appended line", measured: logged, unit: "KiB" }),
    ];
  } finally {
    socket.terminate();
  }
}

async function appendAndHear(
  socket: WebSocket,
  session: GrowingSession,
  text: string,
): Promise<{ ms: number; bytes: number }> {
  const wanted = session.messages + 1;
  // Its path on the hub has that of the machine at its end.
  const isIt = (record: SessionRecord) => record.path.endsWith(session.path) && record.message_count === wanted;
  const told = recordEvent(socket, isIt, TIMEOUT_MS);
  const start = performance.now();
  const bytes = session.append(text);
  return { ms: (await told) - start, bytes };
}
