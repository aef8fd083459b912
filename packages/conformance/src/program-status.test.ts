import { join } from "node:path";
import type { ListedTerminal, LiveSession, ProgramStatus } from "@sm/core";
import type { EventPayloads } from "@sm/router/events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AGENT_VERSIONS, installAgent } from "./agents/real-agent.ts";
import { type LiveService, startLiveService } from "./live-service.ts";
import { PATIENT } from "./patient.ts";
import type { PushEvent } from "./push-event.ts";
import { type RealService, startRealService } from "./real-service.ts";
import { TerminalView } from "./terminal-view.ts";
import { TestSocket } from "./test-socket.ts";

// What programs in terminals say about themselves (OSC 7501).

/** Follows what the service tells of a terminal's program. */
async function statusOf(service: RealService, id: string): Promise<ProgramStatus | null | undefined> {
  const terminals = await service.ask<ListedTerminal[]>("list_terminals");
  return terminals.find((terminal) => terminal.id === id)?.status;
}

async function untilStatus(service: RealService, id: string, status: object | null): Promise<void> {
  const expected = status === null ? null : expect.objectContaining(status);
  await expect.poll(() => statusOf(service, id), PATIENT).toEqual(expected);
}

describe("a program in a terminal", () => {
  let service: RealService;

  beforeAll(async () => {
    service = await startRealService();
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const create = () => TerminalView.create(service.url, service.home.folder);
  const report = (body: string) => `printf '\\033]7501;${body}\\033\\\\'`;

  it("is known by its last report, and clients see its output as it is", async () => {
    await using view = await create();
    expect(await statusOf(service, view.id)).toBeNull();
    await view.type(report(`state=blocked:app=deploy:kind=permission:msg=${Buffer.from("Go on?").toString("base64")}`));
    await untilStatus(service, view.id, { state: "blocked", app: "deploy", kind: "permission", message: "Go on?" });
    await view.shows("\x1b]7501;state=blocked:app=deploy:kind=permission:msg=R28gb24/\x1b\\");
    await view.type(report("state=done:app=deploy"));
    await untilStatus(service, view.id, { state: "done", kind: null, message: null });
    await view.type(report("state=clear"));
    await untilStatus(service, view.id, null);
  });

  it("works no more when it has ended without a word", async () => {
    await using view = await create();
    await view.type(`set -m; sh -c '${report("state=working").replaceAll("'", "'\\''")}; sleep 600'`);
    await untilStatus(service, view.id, { state: "working", process_group: expect.any(Number) });
    const group = (await statusOf(service, view.id))?.process_group ?? 0;
    process.kill(-group, "SIGKILL");
    await untilStatus(service, view.id, null);
  });

  it("is asked to report, and answered when it asks whether somebody reads", async () => {
    await using view = await create();
    await view.type("echo status=$PI_PROGRAM_STATUS");
    await view.shows("status=1\r\n");
    const read = "dd bs=1 count=10 2>/dev/null | od -An -c | tr -d ' \\n'";
    await view.type(`stty raw -echo; printf '\\033]7501;?\\033\\\\'; ${read}; stty cooked -echo; echo`);
    await view.shows("033]7501;?033\\");
  });

  it("is told of to every client, with how it ends", async () => {
    await using socket = await TestSocket.open(service.url);
    await using view = await create();
    await view.type(report("state=working"));
    const told = ({ event, payload }: PushEvent) =>
      event === "terminal-changed" && (payload as EventPayloads["terminal-changed"]).id === view.id;
    await socket.events.until((events) => events.filter(told).length >= 2 || undefined);
    await view.type("exit 3");
    await socket.events.until((events) => events.filter(told).length >= 3 || undefined);
    const [terminal] = (await service.ask<ListedTerminal[]>("list_terminals")).filter(({ id }) => id === view.id);
    expect(terminal).toMatchObject({ status: null, exit: { exit_code: 3 }, ended_at: expect.any(String) });
  });
});

// Agents report since 0.99.
const [newest = "1.5.2"] = AGENT_VERSIONS.toReversed();

describe(`pi ${newest} in a terminal`, () => {
  let live: LiveService;

  beforeAll(async () => {
    live = await startLiveService({}, newest);
  });

  afterAll(() => live?.[Symbol.asyncDispose]());

  it("reports that it works, asks, is done and fails, and nothing when it has ended", async () => {
    const { service, project, model } = live;
    await using view = await TerminalView.create(service.url, project);
    const write = (data: string) => service.ask("terminal_write", { id: view.id, data });
    /** What comes in one piece with a line end is pasted. */
    const say = async (line: string) => {
      await write(line);
      await write("\r");
    };
    const status = (expected: object | null) => untilStatus(service, view.id, expected);
    const pi = join((await installAgent(newest)).programs, "pi");
    const folder = join(service.home.folder, "agent");
    await view.type(`PI_CODING_AGENT_DIR="${folder}" "${pi}" --provider fake --model fake-1 --name Tides`);
    await status({ state: "idle", app: "pi" });
    // It takes no prompt before it has loaded everything.
    await view.shows("[Extensions]");
    await say("hold");
    await status({ state: "working", app: "pi", message: "Tides" });
    await view.shows("Waiting");
    model.release();
    await status({ state: "done", app: "pi", message: "Tides" });
    await say("ask Go on?");
    await status({ state: "blocked", app: "pi", kind: "permission", message: "Go on?" });
    // The agent is there without the service's extension too, and its process is the one that reports.
    const group = (await statusOf(service, view.id))?.process_group;
    const agents = await service.ask<LiveSession[]>("get_coding_live_sessions");
    expect(agents.map(({ pid }) => pid)).toContain(group);
    await write("\r");
    await status({ state: "done" });
    await say("fail");
    await status({ state: "error", message: expect.stringContaining("told to fail") });
    await say("/quit");
    await status(null);
  });
});
