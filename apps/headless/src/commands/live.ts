import type { CommandOutput } from "@sm/router";
import { type Command, Option } from "commander";
import { type Connection, call } from "../connection/connection.ts";
import { absolutePath, findSession } from "../connection/session-argument.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Run } from "../program.ts";
import type { Shell } from "../shell.ts";
import { type Column, table } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { examples, localTime, projectName, shortIds, tell } from "./display.ts";

type LiveSession = CommandOutput<"get_coding_live_sessions">[number];

const HELP = `
These ask a running server, whose agents these are. <live session> is its id or the beginning of its id, or
last for the one that was started last.

Examples:
  session-cli live start ~/project --name "Tide clock"
  session-cli live resume last
  session-cli live send last Which tests fail?
  session-cli live follow last
`;

const LIVE_SESSION = "its id, the beginning of its id, or last";

/** Adds `live` with what can be done with agents that run. */
export function addLive(program: Command, run: Run): void {
  const live = program.command("live").description("start agents and talk to them").addHelpText("after", HELP);
  live
    .command("list", { isDefault: true })
    .description("list the agents that run")
    .addHelpText("after", examples("session-cli live list"))
    .action(() =>
      run(async (connection, shell) => {
        const sessions = await call(connection, "get_coding_live_sessions", {});
        const { colors, width } = shell;
        if (!shell.forPeople) shell.writeJson(sessions);
        else if (sessions.length === 0) shell.write(`${colors.dim("0 live sessions")}\n`);
        else shell.write(table(columns(sessions, shell), sessions, { width, paintHead: colors.bold }));
      }),
    );
  live
    .command("start")
    .description("start an agent with a new session")
    .argument("[directory]", "where it works", ".")
    .option("--model <model>", "provider/model, or the id of a model")
    .option("--name <name>", "name of the session")
    .addHelpText("after", examples("session-cli live start", "session-cli live start ~/project --model fake/fake-1"))
    .action((directory: string, { model, name }: { model?: string; name?: string }) =>
      run(async (connection, shell) => {
        const payload = { cwd: absolutePath(directory), model, name };
        tellStarted(await call(connection, "start_coding_session", payload), shell);
      }),
    );
  live
    .command("resume")
    .description("start an agent that goes on with a stored session")
    .argument("<session>", "path, id, beginning of an id, or last")
    .option("--model <model>", "provider/model, or the id of a model")
    .addHelpText("after", examples("session-cli live resume last"))
    .action((session: string, { model }: { model?: string }) =>
      run(async (connection, shell) => {
        const { path } = await findSession(session, connection);
        tellStarted(await call(connection, "start_coding_session", { session_path: path, model }), shell);
      }),
    );
  live
    .command("send")
    .description("send a prompt to an agent")
    .argument("<live session>", LIVE_SESSION)
    .argument("<prompt...>", "what to say, - to read it from standard input")
    .addOption(new Option("--steer", "break in on what the agent is doing").conflicts("followUp"))
    .option("--follow-up", "have it wait until the agent is done")
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
        tell(shell, answer, answer.disposition === "started" ? "The agent is at it" : "Queued until the agent is done");
      }),
    );
  live
    .command("follow")
    .description("show what an agent says, from the beginning on, until it ends")
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
  live
    .command("stop")
    .description("end an agent in order")
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

function columns(sessions: readonly LiveSession[], { colors }: Shell): Column<LiveSession>[] {
  const shortId = shortIds(sessions.map(({ session_id }) => session_id));
  return [
    { head: "ID", cell: ({ session_id }) => shortId(session_id), paint: colors.yellow },
    { head: "STATE", cell: ({ state, controllable }) => (controllable ? state : `${state} (not ours)`) },
    { head: "STARTED", cell: ({ started_at }) => localTime(started_at) },
    { head: "MODEL", cell: ({ model }) => model ?? "", optional: true },
    { head: "PID", cell: ({ pid }) => String(pid), align: "right", optional: true },
    { head: "PROJECT", cell: ({ cwd }) => projectName(cwd), flexible: true, paint: colors.cyan },
    { head: "NAME", cell: ({ name }) => name ?? "", flexible: true, optional: true },
  ];
}

function tellStarted(session: LiveSession, shell: Shell): void {
  tell(shell, session, `Started ${visible(session.session_id)} in ${visible(session.cwd)}`);
}

/** @throws {CliError} `notFound` where there is none, or more than one. */
async function findLiveSession(named: string, connection: Connection): Promise<LiveSession> {
  const sessions = await call(connection, "get_coding_live_sessions", {});
  if (named === "last") {
    const [last] = sessions.filter(({ controllable }) => controllable);
    if (last !== undefined) return last;
    throw new CliError(EXIT.notFound, "No agent of the server runs; session-cli live start starts one.");
  }
  const exact = sessions.find(({ session_id }) => session_id === named);
  const found = exact === undefined ? sessions.filter(({ session_id }) => session_id.startsWith(named)) : [exact];
  const [only, ...others] = found;
  if (only === undefined) {
    const message = `No live session has an id that begins with "${visible(named)}"; session-cli live list shows them.`;
    throw new CliError(EXIT.notFound, message);
  }
  if (others.length === 0) return only;
  const lines = found.map(({ session_id, cwd }) => `  ${visible(session_id)}  ${visible(cwd)}`);
  throw new CliError(EXIT.notFound, `"${visible(named)}" may be any of these; name more of the id:`, lines);
}
