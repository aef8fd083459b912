import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { LiveEntries, LiveSession, Terminal } from "@sm/core";
import type { CaseService, CommandCase } from "./command-case.ts";

/** An agent without an agent, which does what prompts say. Services of these cases have it as `agent_command`. */
export const FAKE_AGENT = fileURLToPath(new URL("../../agent/src/live/fake-agent.fixture.mjs", import.meta.url));

/** What a service's cases have in common: programs are started once, and not for every request. */
interface Shared {
  terminal: Promise<Terminal>;
  session: Promise<LiveSession>;
  /** Its agent never ends the turn that it is in. */
  busy: Promise<LiveSession>;
}

const shared = new WeakMap<CaseService, Shared>();

function sharedOf(service: CaseService): Shared {
  const known = shared.get(service);
  if (known !== undefined) return known;
  const { folder: cwd } = service.home;
  const session = service.ask<LiveSession>("start_coding_session", { cwd });
  const made: Shared = {
    // It writes nothing by itself, so that the answers do not depend on time.
    terminal: service.ask("create_terminal", { cwd, shell: "/bin/cat" }),
    session,
    // Afterwards, so that lists have them in this order.
    busy: session.then(() => startBusy(service)),
  };
  shared.set(service, made);
  return made;
}

async function startBusy(service: CaseService): Promise<LiveSession> {
  const session = await service.ask<LiveSession>("start_coding_session", { cwd: service.home.folder, name: "busy" });
  await service.ask("send_coding_agent_rpc", { session_id: session.session_id, prompt: "hang" });
  await untilState(service, session.session_id, "streaming");
  return session;
}

async function terminalOf(service: CaseService): Promise<string> {
  return (await sharedOf(service).terminal).id;
}

async function sessionOf(service: CaseService): Promise<string> {
  return (await sharedOf(service).session).session_id;
}

async function untilState(service: CaseService, id: string, state: LiveSession["state"]): Promise<void> {
  for (;;) {
    const sessions = await service.ask<LiveSession[]>("get_coding_live_sessions");
    if (sessions.find(({ session_id }) => session_id === id)?.state === state) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Sessions that wait for an answer, with the question. */
const questions = new WeakMap<CaseService, { session_id: string; request_id: string }>();

/** A question of an agent that nobody has answered. */
async function openQuestion(service: CaseService) {
  const known = questions.get(service);
  const sessions = await service.ask<LiveSession[]>("get_coding_live_sessions");
  if (sessions.find(({ session_id }) => session_id === known?.session_id)?.state === "waiting") return known;
  const { session_id } =
    known ?? (await service.ask<LiveSession>("start_coding_session", { cwd: service.home.folder, name: "asks" }));
  await untilState(service, session_id, "idle");
  await service.ask("send_coding_agent_rpc", { session_id, prompt: "ask input" });
  await untilState(service, session_id, "waiting");
  const { entries } = await service.ask<LiveEntries>("get_coding_agent_entries", { session_id });
  const asked = entries.findLast(({ event }) => event.type === "extension_ui_request");
  const question = { session_id, request_id: String(asked?.event.id) };
  questions.set(service, question);
  return question;
}

/** What an agent in somebody's own terminal says of itself. */
function registration({ home }: CaseService) {
  return {
    session_id: "registered",
    session_path: null,
    cwd: home.folder,
    pid: process.pid,
    state: "idle",
    model: null,
    thinking_level: null,
    started_at: "2026-03-01T10:00:00Z",
    name: "Own terminal",
    models: [{ model: "fake/fake-1", name: "Fake One", reasoning: true }],
  };
}

async function registered(service: CaseService, session_id = "registered"): Promise<string> {
  await service.ask("register_coding_session", { ...registration(service), session_id });
  return session_id;
}

/** Cases for commands that drive terminals and agents. */
export const programCases: Record<string, (service: CaseService) => CommandCase | Promise<CommandCase>> = {
  create_terminal: ({ home }) => ({
    required: { cwd: home.folder },
    optional: { cols: 120, rows: 40, shell: "/bin/cat" },
  }),
  terminal_write: async (service) => ({ required: { id: await terminalOf(service), data: "" }, optional: {} }),
  terminal_resize: async (service) => ({
    required: { id: await terminalOf(service), cols: 100, rows: 30 },
    optional: {},
  }),
  terminal_close: async (service) => ({
    required: { id: (await service.ask<Terminal>("create_terminal", { cwd: service.home.folder })).id },
    optional: {},
  }),
  list_terminals: () => ({ required: {}, optional: {} }),
  attach_terminal: async (service) => ({ required: { id: await terminalOf(service) }, optional: { after_seq: 0 } }),
  get_coding_live_sessions: async (service) => {
    await sharedOf(service).busy;
    return { required: {}, optional: {} };
  },
  start_coding_session: ({ home }) => ({
    required: { cwd: home.folder },
    optional: { model: "fake/fake-2", name: "New" },
    instead: ["session_path"],
  }),
  stop_coding_session: async (service) => {
    const { session_id } = await service.ask<LiveSession>("start_coding_session", { cwd: service.home.folder });
    return { required: { session_id }, optional: {} };
  },
  get_coding_agent_entries: async (service) => ({
    required: { session_id: await sessionOf(service) },
    optional: { after_seq: 0 },
  }),
  send_coding_agent_rpc: async (service) => ({
    // What is sent to one that works is queued, however fast it works.
    required: { session_id: (await sharedOf(service).busy).session_id, prompt: "stream 2" },
    optional: { mode: "follow_up", images: [{ data: "iVBORw0KGgo=", mime_type: "image/png" }] },
  }),
  // It hangs, so that nothing is queued in it meanwhile.
  clear_coding_session_queue: async (service) => ({ required: { session_id: await sessionOf(service) }, optional: {} }),
  get_coding_session_thinking_levels: async (service) => ({
    required: { session_id: await sessionOf(service) },
    optional: {},
  }),
  abort_coding_session: async (service) => ({ required: { session_id: await sessionOf(service) }, optional: {} }),
  set_coding_session_model: async (service) => ({
    required: { session_id: await sessionOf(service), model: "fake/fake-1" },
    optional: {},
    instead: ["thinking_level"],
  }),
  name_coding_session: async (service) => ({
    required: { session_id: await sessionOf(service), name: " New\nname " },
    optional: {},
  }),
  get_coding_session_commands: async (service) => ({
    required: { session_id: await sessionOf(service) },
    optional: {},
  }),
  find_coding_session_files: async (service) => ({
    // The folder has the service's databases too, whose files come and go.
    required: { session_id: await sessionOf(service), text: "review.md" },
    optional: {},
  }),
  get_coding_session_models: async (service) => ({ required: { session_id: await sessionOf(service) }, optional: {} }),
  answer_coding_agent_request: async (service) => ({
    required: { ...(await openQuestion(service)), value: "yes" },
    optional: {},
    instead: ["confirmed", "cancelled"],
  }),
  register_coding_session: (service) => ({ required: registration(service), optional: {} }),
  report_coding_session: async (service) => ({
    required: {
      session_id: await registered(service),
      events: [{ type: "agent_start" }, { type: "agent_end", messages: [] }],
      changes: { name: "Renamed" },
      done: [],
    },
    optional: {},
    wrong: { changes: 1 },
  }),
  take_coding_session_requests: async (service) => {
    const session_id = await registered(service, randomUUID());
    // So that there is something to take; nobody carries it out.
    service.call("abort_coding_session", { session_id }).catch(() => {});
    return { required: { session_id }, optional: { received: ["unknown"], wait_seconds: 60 } };
  },
};
