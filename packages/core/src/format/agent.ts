import type { SessionCapabilities, SessionRecord } from "../session/record.ts";
import { shellQuote } from "../shell-quote.ts";

/** What continues a session. */
export type ResumedSession = Pick<SessionRecord, "path" | "id" | "cwd">;

/** The agent that writes a format. */
export interface Agent {
  /** As its users call it. */
  readonly name: string;
  /** Whether the service can run it on a session. */
  readonly isStartable: boolean;
  /** Whether its sessions can be copied from an entry on. */
  readonly isForkable: boolean;
  /** Whether a fork begins with a copy of its origin's entries and does not say which session that is. */
  readonly forksByCopy: boolean;
  /** Path of the session that has started the one at a path, as far as its place tells; `null` for others. */
  startedBy(path: string): string | null;
  /** What belongs to the session at a path besides its file, and goes with it: paths of files and folders, which may be missing. */
  companions(path: string): string[];
  /** Path of the folder in which long outputs of a session's tools are; where it is missing, there is none. */
  outputFolder?(path: string): string;
  /** Path of a file in which the agent keeps titles of sessions, that at a path too, one a line; `null` without one. */
  titleIndex?(path: string): string | null;
  /** Whether a file may tell titles of other sessions in its folder, each by an entry of that session. */
  readonly titlesOthers?: boolean;
  /** What starts it with a prompt as its argument; missing where that is not known. */
  readonly program?: string;
  /** A command for a POSIX shell that continues a session; `null` if the session cannot be named to the agent. */
  resumeCommand(session: ResumedSession): string | null;
}

/** What can be done with a session of an agent. */
export function capabilitiesOf(
  agent: Agent,
  session: ResumedSession & Pick<SessionRecord, "source">,
): SessionCapabilities {
  // The agent finds no file before it is restored.
  if (session.source === "vault")
    return { rename: true, fork: false, delete: true, start: false, resume_command: null };
  return {
    // Where the agent's files are not written, the name is ours.
    rename: true,
    fork: agent.isForkable,
    delete: true,
    start: agent.isStartable,
    resume_command: agent.resumeCommand(session),
  };
}

/**
 * A command for a POSIX shell that starts an agent with the text of a file as its first prompt; `null` where that is not
 * known. The shell does not read the text, which begins like no option.
 */
export function startCommand({ program }: Agent, cwd: string | null, promptFile: string): string | null {
  if (program === undefined) return null;
  const command = `${program} "$(cat ${shellQuote(promptFile)})"`;
  return inDirectory(cwd, command) ?? command;
}

/** The command in a directory; `null` if the directory is not absolute. It comes from a file, and might be an option. */
export function inDirectory(cwd: string | null, command: string): string | null {
  if (cwd === null || !/^(?:\/|[A-Za-z]:[\\/])/.test(cwd)) return null;
  return `cd ${shellQuote(cwd)} && ${command}`;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether an agent that gives its sessions UUIDs takes an ID for one of them. */
export function isUuid(id: string): boolean {
  return UUID.test(id);
}
