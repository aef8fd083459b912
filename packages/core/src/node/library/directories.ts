import { lstat, mkdir, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../errors.ts";
import { isScannedDirectory } from "../catalog/walk.ts";
import { errorCode, isAbsence } from "../files/file-errors.ts";
import { isInside } from "../files/open-file.ts";
import { isSessionFileName } from "../session-file/session-file-name.ts";
import { isSessionPlace, type SessionPlaces, type SessionRoot } from "../session-file/session-roots.ts";
import { lookAhead } from "../threads/spare-worker.ts";
import type { AgentCleanup } from "./agent-cleanups.ts";
import type { DirectorySurvey } from "./missing-directories.ts";

export interface DirectoryOptions {
  /** `~/.pi/agent`, or the value of `PI_CODING_AGENT_DIR`. */
  agentDir: string;
  /** `~/.pi`. */
  agentHome: string;
  /** Additional directories, absolute paths. */
  sessionPaths: string[];
  /** Directories of other agents, absolute paths. Like the agent's own, they may be missing. */
  otherAgentPaths?: string[];
  /** Path of the vault's database; default: there is no vault. */
  vaultPath?: string | null;
  /** Whether the vault has the session at a path, whose file is gone; default: none. */
  isKept?: (path: string) => Promise<boolean>;
}

/** Directories that may be replaced, see {@link DirectoryOptions}. */
export interface ChosenPaths extends Required<Pick<DirectoryOptions, "sessionPaths" | "otherAgentPaths">> {
  /** Those of them in which agents delete old files; default: none. */
  cleanups?: AgentCleanup[];
}

/** The session directories; rejects paths outside of them. */
export class SessionDirectories {
  readonly #own: string[];
  readonly #isKept: (path: string) => Promise<boolean>;
  #otherAgentPaths: string[];
  #sessionPaths: string[];
  readonly #vault: string | null;
  #places: SessionPlaces | null = null;

  constructor({ agentDir, agentHome, sessionPaths, otherAgentPaths = [], vaultPath, isKept }: DirectoryOptions) {
    this.#vault = vaultPath ?? null;
    this.#isKept = isKept ?? (async () => false);
    this.#own = ownDirectories({ agentDir, agentHome });
    this.#otherAgentPaths = otherAgentPaths;
    this.#sessionPaths = sessionPaths;
  }

  /** Replaces the configured directories, and those of other agents. */
  setPaths({ sessionPaths, otherAgentPaths }: ChosenPaths): void {
    this.#sessionPaths = sessionPaths;
    this.#otherAgentPaths = otherAgentPaths;
  }

  /** Starts reading them early. */
  lookAhead(): void {
    lookAhead(this.#candidates.map((path) => resolve(path)));
  }

  /** Existing directories: the agents' own first, then the configured ones, without duplicates and nested ones. */
  async list(): Promise<string[]> {
    return (await this.#lookedUp()).map((root) => root.path);
  }

  /** Where sessions were at the last check; `null` before the first. */
  get places(): SessionPlaces | null {
    return this.#places;
  }

  /** Whether the real path of a checked session is still the same. */
  isPlace(path: string, real: string): boolean {
    return isSessionPlace(this.#places?.roots ?? [], path, real);
  }

  /** The result of `list`, together with the missing directories. */
  async survey(): Promise<DirectorySurvey> {
    const candidates = this.#candidates;
    const configured = this.#sessionPaths.map((path) => resolve(path));
    const found = await Promise.all(candidates.map(existingDirectory));
    return {
      existing: this.#known(withoutNested(found)).map((root) => root.path),
      missing: candidates.filter((_, place) => found[place] === null).map((path) => resolve(path)),
      configured,
    };
  }

  /**
   * Checks a path from a caller and returns it as in the index.
   *
   * @throws AppError FORBIDDEN outside the directories, in a folder that is not scanned, or for anything but a regular
   * `.jsonl` file; NOT_FOUND for a missing file inside them.
   */
  async sessionPath(path: string): Promise<string> {
    return this.#checked(path, await this.#lookedUp());
  }

  /**
   * Checks a path at which a session is to be written; makes a missing session directory.
   *
   * @throws AppError FORBIDDEN outside the directories, or for another name than that of a session.
   */
  async newSessionPath(path: string): Promise<string> {
    const target = resolve(path);
    const directory = this.#candidates.map((one) => resolve(one)).find((one) => isInside(target, one));
    const folders = directory === undefined ? [] : dirname(relative(directory, target)).split(sep);
    const isScanned = folders.every((name, place) => name === "." || isScannedDirectory(name, place + 1));
    if (!isAbsolute(path) || directory === undefined || !isSessionFileName(target) || !isScanned) throw forbidden(path);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await this.#lookedUp();
    return target;
  }

  /** Checks several paths like `sessionPath`. Rejects at the first invalid one; removes duplicates. */
  async sessionPaths(paths: readonly string[]): Promise<string[]> {
    const roots = await this.#lookedUp();
    const checked = new Set<string>();
    for (const path of paths) checked.add(await this.#checked(path, roots));
    return [...checked];
  }

  async #checked(path: string, roots: readonly SessionRoot[]): Promise<string> {
    try {
      return await checkedPath(path, roots);
    } catch (error) {
      if (isAbsolute(path) && (await isMissing(path)) && (await this.#isKept(resolve(path)))) return resolve(path);
      throw error;
    }
  }

  /** How the paths of sessions in a directory begin; `null` if it is missing or not scanned. */
  async prefixOf(directory: string): Promise<string | null> {
    const [found, roots] = await Promise.all([existingDirectory(directory), this.#lookedUp()]);
    const root = roots.find(({ real }) => found !== null && (found.real === real || isInside(found.real, real)));
    return found === null || root === undefined ? null : join(root.path, relative(root.real, found.real), sep);
  }

  get #candidates(): string[] {
    return [...this.#own, ...this.#otherAgentPaths, ...this.#sessionPaths];
  }

  async #lookedUp(): Promise<readonly SessionRoot[]> {
    return this.#known(withoutNested(await Promise.all(this.#candidates.map(existingDirectory))));
  }

  /** Returns the same array while the directories are the same. */
  #known(roots: readonly SessionRoot[]): readonly SessionRoot[] {
    const known = this.#places?.roots;
    if (known !== undefined && isDeepStrictEqual(roots, known)) return known;
    this.#places = { roots, vault: this.#vault };
    return roots;
  }
}

/** Session directories of the agent's own home. */
export function ownDirectories({ agentDir, agentHome }: Pick<DirectoryOptions, "agentDir" | "agentHome">): string[] {
  return [join(agentDir, "sessions"), join(agentHome, "gateway", "sessions")];
}

/** Makes the spare worker read the directories of a library that will be opened. */
export function startDirectoryScan(options: DirectoryOptions): void {
  new SessionDirectories(options).lookAhead();
}

async function checkedPath(path: string, roots: readonly SessionRoot[]): Promise<string> {
  if (!isAbsolute(path) || !isSessionFileName(path) || path.includes("\0")) throw forbidden(path);
  let real: string;
  let isFile: boolean;
  try {
    real = await realpath(path);
    isFile = (await lstat(real)).isFile();
  } catch (error) {
    if (!isAbsence(errorCode(error))) throw forbidden(path);
    const parent = await nearestExisting(dirname(resolve(path)));
    if (!roots.some((root) => isInside(parent, root.real))) throw forbidden(path);
    throw new AppError("NOT_FOUND", `There is no session ${path}.`);
  }
  const root = roots.find((candidate) => isInside(real, candidate.real));
  if (root === undefined || !isSessionFileName(real) || !isFile) throw forbidden(path);
  const inside = relative(root.real, real);
  const folders = dirname(inside).split(sep);
  if (!folders.every((name, place) => isScannedDirectory(name, place + 1))) throw forbidden(path);
  return join(root.path, inside);
}

/** Removes missing, duplicate and nested directories. */
function withoutNested(found: (SessionRoot | null)[]): SessionRoot[] {
  const existing = found.filter((root) => root !== null);
  return existing.filter((root, place) => {
    const isNested = existing.some((other) => other.real !== root.real && isInside(root.real, other.real));
    return !isNested && existing.findIndex((other) => other.real === root.real) === place;
  });
}

async function existingDirectory(path: string): Promise<SessionRoot | null> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? { path: resolve(path), real } : null;
  } catch {
    return null;
  }
}

async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: unknown) => isAbsence(errorCode(error)),
  );
}

async function nearestExisting(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : nearestExisting(parent);
  }
}

function forbidden(path: string): AppError {
  return new AppError(
    "FORBIDDEN",
    `${path} is not a session file in a session directory; add its folder to session_paths.`,
  );
}
