import { agentName, type SessionFormatName } from "@sm/core";
import type { CommandOutput } from "@sm/router";
import { type Command, Option } from "commander";
import { call } from "../connection/connection.ts";
import { absolutePath } from "../connection/session-argument.ts";
import { parseAgent } from "../option-values.ts";
import type { Shell } from "../shell.ts";
import { visible } from "../terminal/visible.ts";
import { examples, localTime, sizeText } from "./display.ts";
import { addHubChunks, addHubRetention } from "./hub-keeping.ts";
import { addHubUsers } from "./hub-users.ts";
import type { Run, RunAlone } from "./run-command.ts";

type HubStatus = CommandOutput<"get_hub_status">;

const HELP = `
A hub keeps the sessions of several machines in one place. The service of this machine sends what is new.

Examples:
  session-cli hub join https://hub.example.com --token-file ~/.config/session-manager/hub-token
  session-cli hub join https://hub.example.com --token-file hub-token --project ~/work --redact
  session-cli hub status
  session-cli hub leave
`;

interface JoinOptions {
  tokenFile: string;
  project?: string[];
  agent?: SessionFormatName[];
  redact?: true;
  redactWord?: string[];
}

/** Adds `hub join`, `hub leave` and `hub status`, and what those need who run a hub. */
export function addHub(program: Command, run: Run, runAlone: RunAlone): void {
  const hub = program
    .command("hub")
    .description("send the sessions of this machine to a hub")
    .addHelpText("after", HELP);
  hub
    .command("join")
    .description("send sessions to a hub from now on")
    .argument("<url>", "address of the hub")
    .requiredOption("--token-file <file>", "file that contains an API token of the hub, and nothing else")
    .addOption(
      new Option("--project <directory>", "send only sessions of this directory and those below; repeatable").argParser(
        (value: string, others: string[] = []) => [...others, absolutePath(value)],
      ),
    )
    .addOption(
      new Option("--agent <agent>", "send only sessions of this agent; repeatable").argParser(
        (value: string, others: SessionFormatName[] = []) => [...others, parseAgent(value)],
      ),
    )
    .option("--redact", "replace secrets and personal data before anything is sent")
    .addOption(
      new Option("--redact-word <word>", "with --redact, replace this word too; repeatable").argParser(
        (value: string, others: string[] = []) => [...others, value],
      ),
    )
    .addHelpText("after", examples("session-cli hub join https://hub.example.com --token-file hub-token"))
    .action((url: string, { tokenFile, project, agent, redact, redactWord }: JoinOptions) =>
      run(async (connection, shell) => {
        const chosen = {
          url,
          token_file: absolutePath(tokenFile),
          ...(project !== undefined && { projects: project }),
          ...(agent !== undefined && { formats: agent }),
          ...(redact === true && { redact }),
          ...(redactWord !== undefined && { redact_words: redactWord }),
        };
        show(await call(connection, "save_hub", { hub: chosen }), shell);
      }),
    );
  hub
    .command("leave")
    .description("send nothing any more; what was sent stays on the hub")
    .addHelpText("after", examples("session-cli hub leave"))
    .action(() => run(async (connection, shell) => show(await call(connection, "save_hub", { hub: null }), shell)));
  hub
    .command("status", { isDefault: true })
    .description("show where sessions are sent, what the hub has, and problems")
    .addHelpText("after", examples("session-cli hub status"))
    .action(() => run(async (connection, shell) => show(await call(connection, "get_hub_status", {}), shell)));
  addHubUsers(hub, runAlone);
  addHubChunks(hub, runAlone);
  addHubRetention(hub, runAlone);
}

const STATES: Record<HubStatus["state"], string> = {
  off: "no hub",
  stopped: "not sending, because the service does not run",
  sending: "sending",
  waiting: "waiting to try again",
  sent: "everything is sent",
};

function show(status: HubStatus, shell: Shell): void {
  if (shell.json) shell.writeJson(status);
  else shell.show(statusText(status, shell));
}

function statusText(status: HubStatus, { colors }: Shell): string {
  const { url, state, projects, formats, redact, machine_id, files, pending, sent_bytes, last_sent_at } = status;
  const facts: [string, string][] = [["State", STATES[state]]];
  if (url !== null) {
    facts.unshift(["Hub", visible(url)]);
    if (projects !== null) facts.push(["Projects", visible(projects.join(", ") || "none")]);
    if (formats !== null) facts.push(["Agents", formats.map(agentName).join(", ") || "none"]);
    facts.push(["Redacted", redact ? "yes" : "no"]);
  }
  if (machine_id !== null) {
    facts.push(["Machine", machine_id], ["Files on the hub", `${files}`], ["Waiting", `${pending}`]);
    facts.push(["Sent since the start", sizeText(sent_bytes)]);
  }
  if (last_sent_at !== null) facts.push(["Last sent", localTime(last_sent_at)]);
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(([name, value]) => `${colors.bold(name.padEnd(width))}  ${value}\n`);
  return [...lines, ...status.problems.map((problem) => `${colors.red(visible(problem))}\n`)].join("");
}
