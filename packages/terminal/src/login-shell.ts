import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, delimiter, isAbsolute, join, resolve, sep } from "node:path";
import { AppError } from "@sm/core";

/** Shells for which `-l` requests a login shell. */
const LOGIN_SHELLS = new Set(["sh", "ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "nu", "pwsh", "tcsh", "zsh"]);
/** Shells of service accounts, which allow no login. */
const NO_SHELLS = new Set(["false", "nologin", "true"]);

/** Where to search for programs. */
interface Place {
  env: NodeJS.ProcessEnv;
  cwd: string;
}

/**
 * Checks the working directory of a new terminal.
 *
 * Rejects with AppError `INVALID_PAYLOAD` unless it is absolute, exists and is accessible.
 */
export async function checkDirectory(cwd: string): Promise<void> {
  if (!isAbsolute(cwd)) throw invalid("cwd", `${cwd} is not an absolute path.`);
  const found = await stat(cwd).catch(() => null);
  if (found === null) throw invalid("cwd", `${cwd} does not exist.`);
  if (!found.isDirectory()) throw invalid("cwd", `${cwd} is not a directory.`);
  const canEnter = await access(cwd, constants.X_OK).then(...yesOrNo);
  if (!canEnter) throw invalid("cwd", `${cwd} cannot be entered.`);
}

/**
 * Finds a shell by its path or by its name on the PATH.
 *
 * Rejects with AppError `INVALID_PAYLOAD` if it does not exist or is not executable.
 */
export async function findShell(shell: string, place: Place): Promise<string> {
  const candidates = candidatesFor(shell, place);
  for (const path of candidates) if (await isProgram(path)) return path;
  const isThere = await Promise.all(candidates.map((path) => stat(path).then(...yesOrNo)));
  if (isThere.includes(true)) throw invalid("shell", `${shell} is not a program that can be executed.`);
  throw invalid("shell", isPath(shell) ? `${shell} does not exist.` : `There is no program ${shell} on the PATH.`);
}

/** The user's shell: from the environment, else the account's, else the system's. */
export async function usersShell(env: NodeJS.ProcessEnv): Promise<string> {
  if (process.platform === "win32") return env.ComSpec ?? "cmd.exe";
  for (const path of [env.SHELL, accountOf(env).shell]) {
    if (path && isAbsolute(path) && !NO_SHELLS.has(basename(path)) && (await isProgram(path))) return path;
  }
  return "/bin/sh";
}

/** The user of the service. There may be no account: in a container any number can be a user. */
export function accountOf(env: NodeJS.ProcessEnv): { name: string; shell: string | null } {
  try {
    const { username, shell } = userInfo();
    return { name: username, shell };
  } catch {
    return { name: env.USER ?? env.LOGNAME ?? String(process.getuid?.() ?? ""), shell: null };
  }
}

/** Arguments that make a shell a login shell; none for other programs, such as interpreters. */
export function loginArguments(shell: string): string[] {
  return process.platform !== "win32" && LOGIN_SHELLS.has(basename(shell)) ? ["-l"] : [];
}

function candidatesFor(shell: string, { env, cwd }: Place): string[] {
  const folders = isPath(shell) ? [cwd] : (env.PATH ?? env.Path ?? "").split(delimiter).filter(isAbsolute);
  const endings = process.platform === "win32" ? ["", ...(env.PATHEXT ?? ".EXE;.CMD").split(";")] : [""];
  return folders.flatMap((folder) =>
    endings.map((ending) => `${isPath(shell) ? resolve(folder, shell) : join(folder, shell)}${ending}`),
  );
}

function isPath(shell: string): boolean {
  return shell.includes("/") || shell.includes(sep);
}

async function isProgram(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true && (await access(path, constants.X_OK).then(...yesOrNo));
}

const yesOrNo = [() => true, () => false] as const;

function invalid(field: string, message: string): AppError {
  return new AppError("INVALID_PAYLOAD", message, { details: [{ path: field, message }] });
}
