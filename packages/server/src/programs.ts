import type { LiveEvent, LiveSessions } from "@sm/agent/live";
import { AppError, type LiveSessionService, type LiveState, type TerminalService, type TokenStore } from "@sm/core";
import type { Library, SessionAgents } from "@sm/core/node";
import type { EventBus } from "@sm/router/events";
import type { TerminalEvent, Terminals } from "@sm/terminal";
import { closeAllTogether } from "./close-all.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import { forwarded, openOnFirstUse } from "./open-on-first-use.ts";

export interface ProgramsOptions {
  config: Pick<Config, "agents_enabled" | "agent_command" | "terminals_enabled" | "terminal_idle_minutes">;
  /** The account's home. */
  home: string;
  /** Also passed to the agents. */
  agentDir: string;
  /** Local URL of the service, once it is listening. */
  serviceUrl: () => string;
  dataDir: string;
  bus: Pick<EventBus, "publish" | "watch">;
  tokens: Pick<TokenStore, "onEnd">;
  library: Pick<Library, "session" | "setLivePaths">;
  /** Called with each change of an agent's state. */
  onAgentState?: (sessionId: string, state: LiveState) => void;
  log: Log;
}

/** Programs that the service runs for clients: shells in terminals, and agents. */
export interface Programs {
  terminals: TerminalService;
  liveSessions: LiveSessionService;
  readonly openTerminals: number;
  readonly runningAgents: number;
  /** Shuts down agents and terminals; new ones are rejected. */
  close(): Promise<void>;
}

/** Loaders of the packages that run programs. */
export interface ProgramPackages {
  terminals: () => Promise<Pick<typeof import("@sm/terminal"), "openTerminals">>;
  agents: () => Promise<Pick<typeof import("@sm/agent/live"), "openLiveSessions">>;
}

const PACKAGES: ProgramPackages = {
  terminals: () => import("@sm/terminal"),
  agents: () => import("@sm/agent/live"),
};

/** Creates the services for terminals and agents. Their packages are loaded on first use. */
export function createPrograms(options: ProgramsOptions, packages = PACKAGES): Programs {
  const terminals = openOnFirstUse(
    () => loadTerminals(options, packages),
    (opened) => opened.closeAll(),
  );
  const agents = openOnFirstUse(
    () => loadAgents(options, packages),
    (opened) => opened.close(),
  );
  return {
    terminals: forwarded<TerminalService>(terminals.open),
    liveSessions: forwarded<LiveSessionService>(agents.open),
    get openTerminals() {
      return terminals.opened?.count ?? 0;
    },
    get runningAgents() {
      return agents.opened?.count ?? 0;
    },
    close: () => closeAllTogether([agents.close, terminals.close]),
  };
}

/** For local commands without a running service: rejects terminals and agents. */
export function noPrograms(): Pick<Programs, "terminals" | "liveSessions"> {
  const refuse = (what: string) => async () => {
    throw new AppError("UNAVAILABLE", `${what} need a running service. Start one with session-cli.`);
  };
  return { terminals: forwarded(refuse("Terminals")), liveSessions: forwarded(refuse("Agents")) };
}

async function loadTerminals(options: ProgramsOptions, packages: ProgramPackages): Promise<Terminals> {
  const { config, home, serviceUrl, dataDir, bus, tokens, log } = options;
  const { openTerminals } = await packages.terminals();
  return openTerminals({
    enabled: config.terminals_enabled,
    idleMs: config.terminal_idle_minutes * 60_000,
    env: process.env,
    home,
    serviceUrl: serviceUrl(),
    dataDir,
    output: {
      publish: (event) => publishTerminalEvent(event, bus),
      watch: (id, watcher) => bus.watch(`terminal:${id}`, watcher),
    },
    onTokenEnd: (id, listener) => tokens.onEnd(id, listener),
    log,
  });
}

async function loadAgents(options: ProgramsOptions, packages: ProgramPackages): Promise<LiveSessions> {
  const { config, agentDir, bus, library, log } = options;
  const { openLiveSessions } = await packages.agents();
  const live = openLiveSessions({
    enabled: config.agents_enabled,
    command: config.agent_command,
    agentDir,
    env: process.env,
    resolveSession: (path) => library.session(path),
    publish(event) {
      publishLiveEvent(event, bus);
      if (event.type !== "state") return;
      if (event.state === "exited") log.info({ session_id: event.session_id }, "An agent has ended.");
      options.onAgentState?.(event.session_id, event.state);
    },
    onPathsChanged: (paths) => library.setLivePaths(paths, agents),
  });
  const agents: SessionAgents = {
    async rename(path, name) {
      const agent = live.byPath(path);
      // The agent does not accept an empty name.
      if (agent?.controllable && name !== "") await live.setName(agent.session_id, name);
    },
    async stop(path) {
      const agent = live.byPath(path);
      if (agent?.controllable) await live.stop(agent.session_id);
    },
  };
  return live;
}

function publishTerminalEvent(event: TerminalEvent, bus: Pick<EventBus, "publish">): void {
  if (event.type === "output") {
    const { id, seq, data } = event;
    bus.publish("terminal-output", { id, seq, data });
  } else if (event.type === "changed") {
    bus.publish("terminal-changed", { id: event.id });
  } else {
    const { id, exit_code, signal } = event;
    bus.publish("terminal-exit", { id, exit_code, signal });
  }
}

function publishLiveEvent(event: LiveEvent, bus: Pick<EventBus, "publish">): void {
  const { session_id } = event;
  if (event.type === "state") bus.publish("live-session", { session_id, state: event.state });
  else if (event.type === "changed") bus.publish("live-session-changed", { session_id });
  else bus.publish("live-session-event", { session_id, seq: event.seq, event: event.event });
}
