import { accessSync, constants, realpathSync } from "node:fs";
import { mkdir, readFile, rm, rmdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { replaceFile } from "@sm/core/files";
import { CliError, EXIT } from "../failure.ts";
import { isOwnServer, MEMORY_AGENTS, type MemoryAgent, type UserPlace } from "./memory-agents.ts";
import { SKILL, SKILL_NAME, SKILL_ORIGIN } from "./skill.ts";

/** What an agent has of the session memory. */
export interface Installation {
  agent: MemoryAgent;
  /** Whether its program is there. */
  isHere: boolean;
  hasServer: boolean;
  /** Whether a server of somebody else has its name. */
  hasOtherServer: boolean;
  /** Path of the skill. */
  skill: string;
  /** `other`: there is a file that was not written by us. */
  skillState: "current" | "older" | "other" | "missing";
}

/** Looks at agents. @throws CliError if a configuration cannot be read. */
export function lookAtAgents(place: UserPlace, agents = MEMORY_AGENTS): Promise<Installation[]> {
  return Promise.all(agents.map((agent) => lookAt(agent, place)));
}

async function lookAt(agent: MemoryAgent, place: UserPlace): Promise<Installation> {
  const skill = join(agent.skills(place), SKILL_NAME, "SKILL.md");
  const [servers, written] = await Promise.all([textOf(agent.serverFile(place)), textOf(skill)]);
  const server = servers === null ? null : serverOf(agent, servers, place);
  return {
    agent,
    isHere: findProgram(agent.program, place.env) !== null,
    hasServer: server !== null && isOwnServer(server),
    hasOtherServer: server !== null && !isOwnServer(server),
    skill,
    skillState:
      written === null ? "missing" : written === SKILL ? "current" : written.includes(SKILL_ORIGIN) ? "older" : "other",
  };
}

function serverOf(agent: MemoryAgent, text: string, place: UserPlace): string | null {
  try {
    return agent.serverIn(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(EXIT.refused, `${agent.serverFile(place)} cannot be read: ${reason}`);
  }
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new CliError(EXIT.refused, `${path} cannot be read: ${(error as Error).message}`);
  }
}

export async function writeSkill(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, SKILL, 0o644);
}

/** Removes a skill, and its folder unless the user has put something there. */
export async function removeSkill(path: string): Promise<void> {
  await rm(path, { force: true });
  await rmdir(dirname(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "ENOENT") throw error;
  });
}

/** The path of a program on the `PATH`; `null` if it is not there. */
export function findProgram(name: string, { PATH = "", PATHEXT = "" }: NodeJS.ProcessEnv): string | null {
  const endings = process.platform === "win32" ? PATHEXT.split(";") : [""];
  for (const folder of PATH.split(delimiter)) {
    for (const ending of endings) {
      const path = join(folder, name + ending);
      if (folder !== "" && isExecutable(path)) return path;
    }
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** How this program is started by others: by its name, by npx from whose cache it may vanish, or by its path. */
export function ownCommand({ env, program }: { env: NodeJS.ProcessEnv; program: string }): string[] {
  if (findProgram("session-cli", env) !== null && !isOfNpx(program)) return ["session-cli", "mcp"];
  if (isOfNpx(program)) return ["npx", "-y", "session-cli", "mcp"];
  return [process.execPath, realpathSync(program), "mcp"];
}

function isOfNpx(program: string): boolean {
  return /[\\/]_npx[\\/]/.test(program);
}
