import type { LiveSessionsOptions } from "@sm/agent/live";
import type { LiveSessionService } from "@sm/core";
import type { SessionAgents } from "@sm/core/node";
import type { TerminalsOptions } from "@sm/terminal";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createPrograms, noPrograms, type ProgramPackages, type ProgramsOptions } from "./programs.ts";

/** What the packages were opened with, `null` while they are not. */
const opened: { terminals: TerminalsOptions | null; agents: LiveSessionsOptions | null } = {
  terminals: null,
  agents: null,
};
const terminals = {
  count: 3,
  list: vi.fn(async () => []),
  close: vi.fn(async (id: string) => ({ id })),
  closeAll: vi.fn(async () => {}),
};
const agents = {
  count: 2,
  list: vi.fn(async () => []),
  setName: vi.fn(async () => ({})),
  stop: vi.fn(async () => ({})),
  byPath: vi.fn((path: string) => ({ session_id: `id of ${path}`, controllable: path !== "/foreign" })),
  close: vi.fn(async () => {}),
};
const packages = {
  terminals: async () => ({
    openTerminals(options: TerminalsOptions) {
      opened.terminals = options;
      return terminals;
    },
  }),
  agents: async () => ({
    openLiveSessions(options: LiveSessionsOptions) {
      opened.agents = options;
      return agents;
    },
  }),
};

beforeEach(() => {
  opened.terminals = null;
  opened.agents = null;
  vi.clearAllMocks();
});

function create() {
  const published: [name: string, payload: object][] = [];
  const watched: string[] = [];
  const log = { info: vi.fn(), warn: vi.fn() };
  const library = {
    session: vi.fn(async (path: string) => ({ path: `/own${path}`, id: "the id", cwd: "/code", title: "A title" })),
    setLivePaths: vi.fn((_paths: ReadonlySet<string>, _agents: SessionAgents) => {}),
  };
  const bus = {
    publish: (name: string, payload: object) => published.push([name, payload]),
    watch: (topic: string) => {
      watched.push(topic);
      return () => {};
    },
  };
  const options = {
    config: { agents_enabled: true, agent_command: "pi-next", terminals_enabled: false, terminal_idle_minutes: 2 },
    home: "/home/ada",
    agentDir: "/home/ada/.pi/agent",
    serviceUrl: () => "http://127.0.0.1:52131",
    dataDir: "/data",
    bus,
    library,
    log,
  };
  const programs = createPrograms(options as unknown as ProgramsOptions, packages as unknown as ProgramPackages);
  return { programs, published, watched, library, log };
}

describe("createPrograms", () => {
  it("opens terminals and agents when they are used, with what the configuration says", async () => {
    const { programs } = create();
    expect([programs.openTerminals, programs.runningAgents]).toEqual([0, 0]);
    expect(opened).toEqual({ terminals: null, agents: null });
    await programs.terminals.list();
    expect(opened.terminals).toMatchObject({
      enabled: false,
      idleMs: 120_000,
      home: "/home/ada",
      serviceUrl: "http://127.0.0.1:52131",
      dataDir: "/data",
    });
    expect(opened.agents).toBeNull();
    await programs.liveSessions.list();
    expect(opened.agents).toMatchObject({ enabled: true, command: "pi-next", agentDir: "/home/ada/.pi/agent" });
    expect([programs.openTerminals, programs.runningAgents]).toEqual([3, 2]);
  });

  it("publishes what terminals say, and lets the bus pace them", async () => {
    const { programs, published, watched } = create();
    await programs.terminals.list();
    const output = opened.terminals?.output;
    output?.publish({ type: "output", id: "t1", seq: 7, data: "text" });
    output?.publish({ type: "exit", id: "t1", exit_code: null, signal: "SIGHUP" });
    output?.publish({ type: "changed", id: "t1" });
    expect(published).toEqual([
      ["terminal-output", { id: "t1", seq: 7, data: "text" }],
      ["terminal-exit", { id: "t1", exit_code: null, signal: "SIGHUP" }],
      ["terminal-changed", { id: "t1" }],
    ]);
    output?.watch("t1", { onBehind: () => {}, onAudience: () => {} });
    expect(watched).toEqual(["terminal:t1"]);
  });

  it("publishes what agents say, and logs the end of one without anything that it said", async () => {
    const { programs, published, log } = create();
    await programs.liveSessions.list();
    opened.agents?.publish({ type: "state", session_id: "s1", state: "streaming" });
    opened.agents?.publish({ type: "event", session_id: "s1", seq: 4, event: { type: "agent_start" } });
    opened.agents?.publish({ type: "changed", session_id: "s1" });
    expect(log.info).not.toHaveBeenCalled();
    opened.agents?.publish({ type: "state", session_id: "s1", state: "exited" });
    expect(published).toEqual([
      ["live-session", { session_id: "s1", state: "streaming" }],
      ["live-session-event", { session_id: "s1", seq: 4, event: { type: "agent_start" } }],
      ["live-session-changed", { session_id: "s1" }],
      ["live-session", { session_id: "s1", state: "exited" }],
    ]);
    expect(log.info.mock.calls).toEqual([[{ session_id: "s1" }, "An agent has ended."]]);
  });

  it("has the library check the path of a session that is to go on", async () => {
    const { programs, library } = create();
    await programs.liveSessions.list();
    expect(await opened.agents?.resolveSession("/a.jsonl")).toStrictEqual(await library.session("/a.jsonl"));
  });

  it("tells the library which sessions are live, and takes its orders about them", async () => {
    const { programs, library } = create();
    await programs.liveSessions.list();
    const paths = new Set(["/a", "/foreign"]);
    opened.agents?.onPathsChanged(paths);
    const [told, driver] = library.setLivePaths.mock.lastCall ?? [];
    expect(told).toBe(paths);
    await driver?.rename("/a", "name");
    // Agents take no empty name.
    await driver?.rename("/a", "");
    await driver?.rename("/foreign", "name");
    expect(agents.setName.mock.calls).toEqual([["id of /a", "name"]]);
    await driver?.stop("/a");
    await driver?.stop("/foreign");
    expect(agents.stop.mock.calls).toEqual([["id of /a"]]);
  });

  it("ends what was opened, also where that fails for one, and opens nothing from then on", async () => {
    const { programs } = create();
    await programs.terminals.list();
    await programs.liveSessions.list();
    agents.close.mockRejectedValueOnce(new Error("stuck"));
    await expect(programs.close()).rejects.toThrow("stuck");
    expect(agents.close).toHaveBeenCalledOnce();
    expect(terminals.closeAll).toHaveBeenCalledOnce();
    await expect(programs.terminals.list()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(programs.liveSessions.list()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("ends without having opened anything", async () => {
    const { programs } = create();
    await programs.close();
    expect(opened).toEqual({ terminals: null, agents: null });
    await expect(programs.terminals.checkAvailable()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(opened.terminals).toBeNull();
  });
});

it.each<[string, (live: LiveSessionService) => Promise<unknown>]>([
  ["checkAvailable", (live) => live.checkAvailable()],
  ["list", (live) => live.list()],
])("without a service, %s says that one is needed", async (_name, ask) => {
  await expect(ask(noPrograms().liveSessions)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining("need a running service"),
  });
  await expect(noPrograms().terminals.checkAvailable()).rejects.toMatchObject({ code: "UNAVAILABLE" });
});
