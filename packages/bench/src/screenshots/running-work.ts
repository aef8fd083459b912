import type { Service } from "../measure/service.ts";
import type { Home } from "./home.ts";

const MINUTE = 60_000;
/** Sessions that say nothing for longer are lost. */
const SIGN_OF_LIFE_MS = 30_000;
const FIRST_PID = 4_000_000;

interface Registered {
  name: string;
  state: "idle" | "streaming" | "waiting";
  folder: string;
  events: object[];
}

const said = (content: string) => ({ type: "message_end", message: { role: "user", content } });
const ran = (toolName: string, args: object) => ({ type: "tool_execution_start", toolCallId: "1", toolName, args });
const begun = { type: "agent_start" };
const ended = { type: "agent_end", messages: [] };
const failed = {
  type: "message_end",
  message: { role: "assistant", content: [], stopReason: "error", errorMessage: "529 The model is overloaded" },
};

const REGISTERED: Registered[] = [
  {
    name: "Move thumbnails to the new bucket",
    state: "waiting",
    folder: "lantern",
    events: [begun, { type: "ui_prompt_start", kind: "confirm", title: "Delete 1,204 objects in lantern-old?" }],
  },
  {
    name: "Find out why the queue test fails now and then",
    state: "streaming",
    folder: "lantern",
    events: [begun, ran("bash", { command: "npx vitest run src/uploads/queue.test.ts --retry 50" })],
  },
  {
    name: "Describe the import format",
    state: "streaming",
    folder: "fieldnotes",
    events: [begun, said("Write down what an import may hold, with an example of each.")],
  },
  { name: "Draft the release notes of 2.5", state: "idle", folder: "lantern", events: [begun, ended] },
  { name: "Translate the errors", state: "idle", folder: "fieldnotes", events: [begun, failed, ended] },
];

const report = (body: string, message: string) =>
  `\\033]7501;${body}:msg=${Buffer.from(message).toString("base64")}\\033\\\\`;

const PROGRAMS = [
  report("state=blocked:app=pi:kind=question", "Which port is the staging database on?"),
  report("state=working:app=make:progress=62", "Building the image"),
];

/** Has agents and programs work, wait and end, so that there is something to see on the board. */
export async function beginWork(service: Service, { folder, project }: Home): Promise<void> {
  for (const [place, { name, state, folder: cwd, events }] of REGISTERED.entries()) {
    const session_id = `registered-${place}`;
    await service.command("register_coding_session", {
      ...{ session_id, session_path: null, cwd: `${folder}/${cwd}`, pid: FIRST_PID + place, state: "idle", name },
      ...{ model: "anthropic/claude-sonnet-4-6", thinking_level: "medium", models: [] },
      started_at: new Date(Date.now() - (place + 1) * MINUTE).toISOString(),
    });
    await service.command("report_coding_session", { session_id, events, changes: { state }, done: [] });
    const live = () => service.command("report_coding_session", { session_id, events: [], changes: {}, done: [] });
    // The service ends before this program does.
    setInterval(() => void live().catch(() => {}), SIGN_OF_LIFE_MS).unref();
  }
  for (const program of PROGRAMS) {
    const { id } = (await service.command("create_terminal", { cwd: project, shell: "/bin/sh" })) as { id: string };
    await service.command("terminal_write", { id, data: `printf '${program}'\r` });
  }
}
