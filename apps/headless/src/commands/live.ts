import type { CommandOutput } from "@sm/router";
import { type Command, Option } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { absolutePath, findSession } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";
import type { Column } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { examples, tell, writeList } from "./display.ts";
import type { Run } from "./run-command.ts";

type LiveSession = CommandOutput<"get_coding_live_sessions">[number];

const HELP = `
These commands need a running server. <live session> is an id, the beginning of an id, or last for the one
started last.

Examples:
  session-cli live start ~/project --name "Tide clock"
  session-cli live resume last
  session-cli live send last Which tests fail?
  session-cli live follow last
`;

const DISPOSITIONS = {
  started: "The agent is working on it",
  queued: "Queued: the agent reads it when it is done",
  handled: "Handled by an extension of the agent",
} satisfies Record<CommandOutput<"send_coding_agent_rpc">["disposition"], string>;

interface AnswerOptions {
  yes?: true;
  refuse?: true;
  cancel?: true;
}

const LIVE_SESSION = "id, beginning of an id, or last";

/** Adds `live` and its subcommands. */
export function addLive(program: Command, run: Run): void {
  const live = program.command("live").description("start and control agents").addHelpText("after", HELP);
  addList(live, run);
  addStart(live, run);
  addResume(live, run);
  addSend(live, run);
  addFollow(live, run);
  addAbort(live, run);
  addClear(live, run);
  addAnswer(live, run);
  addModel(live, run);
  addStop(live, run);
}

function addList(live: Command, run: Run): void {
  live
    .command("list", { isDefault: true })
    .description("list agents and programs in terminals that wait for you, run, or ended within a day")
    .addHelpText("after", examples("session-cli live list"))
    .action(() =>
      run(async (connection, shell) => {
        const sessions = await call(connection, "get_coding_live_sessions", {});
        const { boardText, readBoard } = await import("../live/board-text.ts");
        const rows = shell.json || shell.quiet ? [] : await readBoard(sessions, connection);
        if (rows.length > 0) return shell.show(boardText(rows, shell));
        const name = ({ session_id }: LiveSession) => session_id;
        writeList(shell, sessions, sessions, { columns: [], things: "live sessions", name });
      }),
    );
}

function addStart(live: Command, run: Run): void {
  live
    .command("start")
    .description("start an agent with a new session")
    .argument("[directory]", "working directory of the agent", ".")
    .option("--model <model>", "provider/model, or the id of a model")
    .option("--name <name>", "name of the session")
    .addHelpText("after", examples("session-cli live start", "session-cli live start ~/project --model fake/fake-1"))
    .action((directory: string, { model, name }: { model?: string; name?: string }) =>
      run(async (connection, shell) => {
        const payload = { cwd: absolutePath(directory), model, name };
        tellStarted(await call(connection, "start_coding_session", payload), shell);
      }),
    );
}

function addResume(live: Command, run: Run): void {
  live
    .command("resume")
    .description("start an agent that continues a stored session")
    .argument("<session>", "path, id, beginning of an id, title, or last")
    .option("--model <model>", "provider/model, or the id of a model")
    .addHelpText("after", examples("session-cli live resume last"))
    .action((session: string, { model }: { model?: string }) =>
      run(async (connection, shell) => {
        const { path } = await findSession(session, connection);
        tellStarted(await call(connection, "start_coding_session", { session_path: path, model }), shell);
      }),
    );
}

function addSend(live: Command, run: Run): void {
  live
    .command("send")
    .description("send a prompt to an agent")
    .argument("<live session>", LIVE_SESSION)
    .argument("<prompt...>", "text of the prompt, - to read it from standard input")
    .addOption(new Option("--steer", "deliver the prompt while the agent works").conflicts("followUp"))
    .option("--follow-up", "deliver the prompt when the agent is done")
    .addHelpText(
      "after",
      examples("session-cli live send last Which tests fail?", "session-cli live send last - < prompt"),
    )
    .action((named: string, words: string[], { steer, followUp }: { steer?: true; followUp?: true }) =>
      run(async (connection, shell) => {
        const { session_id } = await findLiveSession(named, connection);
        const text = words.join(" ");
        const prompt = text === "-" ? await shell.readInput() : text;
        const mode = steer ? "steer" : followUp ? "follow_up" : "prompt";
        const answer = await call(connection, "send_coding_agent_rpc", { session_id, prompt, mode });
        tell(shell, answer, DISPOSITIONS[answer.disposition]);
      }),
    );
}

function addFollow(live: Command, run: Run): void {
  live
    .command("follow")
    .description("show the output of an agent from the beginning until it exits")
    .argument("<live session>", LIVE_SESSION)
    .addHelpText(
      "after",
      examples("session-cli live follow last", "session-cli live follow last --json | jq .event.type"),
    )
    .action((named: string) =>
      run(async (connection, shell) => {
        const { followLive } = await import("../live/follow-live.ts");
        await followLive((await findLiveSession(named, connection)).session_id, connection, shell);
      }),
    );
}

function addAbort(live: Command, run: Run): void {
  live
    .command("abort")
    .description("interrupt an agent")
    .argument("<live session>", LIVE_SESSION)
    .addHelpText("after", examples("session-cli live abort last"))
    .action((named: string) =>
      run(async (connection, shell) => {
        const { session_id } = await findLiveSession(named, connection);
        const aborted = await call(connection, "abort_coding_session", { session_id });
        tell(shell, aborted, `Interrupted ${visible(session_id)}`);
      }),
    );
}

function addClear(live: Command, run: Run): void {
  live
    .command("clear")
    .description("remove the queued prompts of an agent")
    .argument("<live session>", LIVE_SESSION)
    .addHelpText("after", examples("session-cli live clear last"))
    .action((named: string) =>
      run(async (connection, shell) => {
        const { session_id } = await findLiveSession(named, connection);
        const cleared = await call(connection, "clear_coding_session_queue", { session_id });
        const prompts = [...cleared.steering, ...cleared.follow_up];
        const lines = prompts.map((prompt) => `\n  ${visible(prompt)}`).join("");
        tell(shell, cleared, prompts.length === 0 ? "No queued prompts" : `Removed from the queue:${lines}`);
      }),
    );
}

function addAnswer(live: Command, run: Run): void {
  live
    .command("answer")
    .description("answer a question of an agent; live follow shows its id")
    .argument("<live session>", LIVE_SESSION)
    .argument("<question>", "its id")
    .argument("[answer...]", "text or choice")
    .addOption(new Option("-y, --yes", "confirm").conflicts(["refuse", "cancel"]))
    .addOption(new Option("--refuse", "decline").conflicts("cancel"))
    .option("--cancel", "cancel the question")
    .addHelpText(
      "after",
      examples(
        "session-cli live answer last 5e6f7a8b --yes",
        "session-cli live answer last 5e6f7a8b Use the second one",
      ),
    )
    .action((named: string, request_id: string, words: string[], { yes, refuse, cancel }: AnswerOptions) =>
      run(async (connection, shell) => {
        const isSaid = words.length > 0;
        if ([isSaid, yes, refuse, cancel].filter(Boolean).length !== 1) {
          throw new CliError(EXIT.usage, "Give one answer: words, --yes, --refuse or --cancel.");
        }
        const { session_id } = await findLiveSession(named, connection);
        const answer = isSaid ? { value: words.join(" ") } : cancel ? { cancelled: true } : { confirmed: yes === true };
        const answered = await call(connection, "answer_coding_agent_request", { session_id, request_id, ...answer });
        tell(shell, answered, "Answered");
      }),
    );
}

function addModel(live: Command, run: Run): void {
  live
    .command("model")
    .description("change the model or thinking level of an agent; without arguments, list its models")
    .argument("<live session>", LIVE_SESSION)
    .argument("[model]", "provider/model, or the id of a model")
    .option("--thinking <level>", "thinking level")
    .addHelpText(
      "after",
      examples("session-cli live model last", "session-cli live model last fake/fake-1 --thinking high"),
    )
    .action((named: string, model: string | undefined, { thinking }: { thinking?: string }) =>
      run(async (connection, shell) => {
        const { session_id } = await findLiveSession(named, connection);
        if (model === undefined && thinking === undefined) {
          const models = await call(connection, "get_coding_session_models", { session_id });
          writeList(shell, models, models, { columns: MODELS, things: "models", name: (one) => one.model });
          const levels = await call(connection, "get_coding_session_thinking_levels", { session_id });
          return shell.note(`Thinking levels of the current model: ${levels.join(", ")}.`);
        }
        const changed = await call(connection, "set_coding_session_model", {
          session_id,
          model,
          thinking_level: thinking,
        });
        tell(shell, changed, `The model is ${visible(changed.model ?? "unknown")}, thinking ${changed.thinking_level}`);
      }),
    );
}

function addStop(live: Command, run: Run): void {
  live
    .command("stop")
    .description("stop an agent")
    .argument("<live session>", LIVE_SESSION)
    .addHelpText("after", examples("session-cli live stop last"))
    .action((named: string) =>
      run(async (connection, shell) => {
        const { session_id } = await findLiveSession(named, connection);
        const stopped = await call(connection, "stop_coding_session", { session_id });
        tell(shell, stopped, `Stopped ${visible(session_id)}`);
      }),
    );
}

const MODELS: Column<CommandOutput<"get_coding_session_models">[number]>[] = [
  { head: "MODEL", cell: ({ model }) => model },
  { head: "NAME", cell: ({ name }) => name ?? "", flexible: true },
  { head: "REASONING", cell: ({ reasoning }) => (reasoning ? "yes" : "no") },
];

function tellStarted(session: LiveSession, shell: Shell): void {
  tell(shell, session, `Started ${visible(session.session_id)} in ${visible(session.cwd)}`);
}

/** @throws {CliError} `notFound` for no match or several. */
async function findLiveSession(named: string, connection: Connection): Promise<LiveSession> {
  const sessions = await call(connection, "get_coding_live_sessions", {});
  if (named === "last") {
    const [last] = sessions.filter(({ controllable }) => controllable);
    if (last !== undefined) return last;
    throw new CliError(EXIT.notFound, "The server has no running agent; session-cli live start starts one.");
  }
  const exact = sessions.find(({ session_id }) => session_id === named);
  const found = exact === undefined ? sessions.filter(({ session_id }) => session_id.startsWith(named)) : [exact];
  const [only, ...others] = found;
  if (only === undefined) {
    const message = `No live session has an id that starts with "${visible(named)}"; session-cli live list shows all.`;
    throw new CliError(EXIT.notFound, message);
  }
  if (others.length === 0) return only;
  const lines = found.map(({ session_id, cwd }) => `  ${visible(session_id)}  ${visible(cwd)}`);
  throw new CliError(EXIT.notFound, `"${visible(named)}" is ambiguous; give more of the id:`, lines);
}
