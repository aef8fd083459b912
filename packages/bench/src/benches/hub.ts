import { mkdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { HubStatus, SessionPage } from "@sm/core";
import { GrowingSession } from "../corpus/growing-session.ts";
import { warmPageCache } from "../corpus/session-files.ts";
import { CountingWire } from "../hub/counting-wire.ts";
import { hubAppends } from "../hub/hub-appends.ts";
import { firstSearches, homeSearches, hubSearches, hubSearchKinds, searchMuch } from "../hub/hub-searches.ts";
import { HubStack } from "../hub/hub-stack.ts";
import { type AgentsviewSync, agentsviewSync, besideSync } from "../measure/agentsview.ts";
import { peakMemory } from "../measure/process-tree.ts";
import { addSessionPaths, type Service } from "../measure/service.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage, untilIdle } from "./bench.ts";

const POLL_MS = 250;
const SEND_TIMEOUT_MS = 20 * 60_000;
/** On the machine of the target the peer took 129 s. */
const TARGET = { seconds: 120, ofPeer: 0.93 };
const IDLE_CHECK_MS = 2_000;
/** PostgreSQL wakes up now and then by itself. */
const IDLE_SHARE = 0.03;

/**
 * A machine with the corpus joins a hub of two servers and PostgreSQL: how long it takes until everything is searchable
 * there, what it takes up, and how fast searches and appended lines are.
 */
export async function hub(stage: Stage): Promise<BenchRow[]> {
  const { corpus } = stage;
  warmPageCache(corpus.agentHome);
  const peer = agentsviewSync(corpus.agentHome, stage.newDirectory(), SEND_TIMEOUT_MS);
  const sessions = stage.newDirectory();
  mkdirSync(sessions);
  const growing = new GrowingSession(sessions, "growing", 20_000);
  const stack = await HubStack.start(stage.newDirectory());
  const { token, tokenFile } = await stack.newUser("ada");
  const wire = await CountingWire.to(stack.urls[0] ?? "");
  const state = stage.newDirectory();
  addSessionPaths(state, [sessions]);
  try {
    return await stage.withService(state, async (machine) => {
      await machine.ready();
      await untilIdle(machine.process.pid);
      const rows: BenchRow[] = [];
      const count = corpus.manifest.sessions + 1;
      const sent = await sending(machine, stack, { url: wire.url, token, tokenFile, count });
      rows.push(sent, ...besidePeer(sent, peer));
      rows.push(memory(machine, stack));
      rows.push(await size(stack, corpus.manifest.bytes, "when everything has arrived"));
      const kinds = hubSearchKinds(corpus);
      rows.push(await firstSearches(stack, token));
      rows.push(...(await hubSearches(stack, token, kinds, "when everything has arrived")));
      await untilQuiet(stack);
      rows.push(await size(stack, corpus.manifest.bytes, "later"));
      rows.push(...(await hubSearches(stack, token, kinds, "later")));
      await searchMuch(stack, token, kinds);
      rows.push(...(await hubSearches(stack, token, kinds, "by servers that have searched before")));
      rows.push(...(await homeSearches(machine, kinds)));
      rows.push(...(await hubAppends(growing, { stack, token, wire })));
      return rows;
    });
  } finally {
    wire.close();
    await stack.close();
  }
}

/** From `hub join` until the hub finds all sessions. */
async function sending(
  machine: Service,
  stack: HubStack,
  { url, token, tokenFile, count }: { url: string; token: string; tokenFile: string; count: number },
): Promise<BenchRow> {
  const before = stack.processorTimes();
  const start = performance.now();
  await machine.command("save_hub", { hub: { url, token_file: tokenFile } });
  let sentAfter: number | null = null;
  for (;;) {
    const elapsed = performance.now() - start;
    const { total, pending } = await stack.command<SessionPage>(1, token, "list_sessions", { limit: 1 });
    if (sentAfter === null) {
      const { state, problems } = (await machine.command("get_hub_status", {})) as HubStatus;
      if (problems.length > 0) throw new Error(`The machine could not send: ${problems.join(" ")}`);
      if (state === "sent") sentAfter = elapsed;
    }
    if (sentAfter !== null && total === count && pending === 0) break;
    if (elapsed > SEND_TIMEOUT_MS) throw new Error(`After ${elapsed} ms the hub has ${total} of ${count} sessions.`);
    await pause(POLL_MS);
  }
  const seconds = (performance.now() - start) / 1000;
  const after = stack.processorTimes();
  const used =
    before === null || after === null
      ? ""
      : `; processor time: servers ${(after.servers - before.servers).toFixed(0)} s, PostgreSQL ${(after.postgres - before.postgres).toFixed(0)} s`;
  return judge({
    what: `sending ${count} sessions until they are searchable on the hub`,
    measured: seconds,
    unit: "s",
    atMost: TARGET.seconds,
    note: `all sent after ${((sentAfter ?? 0) / 1000).toFixed(0)} s${used}`,
  });
}

/** The same beside a program that fills a database on the machine itself, where that is installed. */
function besidePeer({ what, measured, unit }: BenchRow, peer: AgentsviewSync | null): BenchRow[] {
  if (peer === null) return [];
  return [judge({ what: `${what}, by a peer`, measured, unit, ...besideSync(peer), ratioAtMost: TARGET.ofPeer })];
}

function memory(machine: Service, stack: HubStack): BenchRow {
  const bytes = stack.peakMemory();
  return judge({
    what: "peak memory of a server while everything has come",
    measured: bytes === null ? null : bytes / MEGABYTE,
    unit: "MB",
    ...(bytes !== null && { note: `of the machine: ${(peakMemory(machine.process.pid) / MEGABYTE).toFixed(0)} MB` }),
  });
}

/** What PostgreSQL keeps, by the originals. */
async function size(stack: HubStack, originals: number, when: string): Promise<BenchRow> {
  const bytes = await stack.databaseBytes();
  const tables = await stack.tables();
  const megabytes = (size: number) => (size / MEGABYTE).toFixed(0);
  const largest = tables
    .slice(0, 6)
    .map(({ name, bytes, indexBytes }) => `${name} ${megabytes(bytes)} (indexes ${megabytes(indexBytes)})`);
  return judge({
    what: `size in PostgreSQL, index included, ${when}, by the originals`,
    measured: bytes / originals,
    unit: "",
    atMost: 0.6,
    note: `MB: ${largest.join(", ")}`,
  });
}

/** Waits until the hub merges nothing any more. */
async function untilQuiet(stack: HubStack): Promise<void> {
  for (let before = stack.processorTimes(); before !== null; ) {
    await pause(IDLE_CHECK_MS);
    const now = stack.processorTimes();
    if (now === null) return;
    const used = now.servers + now.postgres - before.servers - before.postgres;
    if (used < (IDLE_SHARE * IDLE_CHECK_MS) / 1000) return;
    before = now;
  }
}
