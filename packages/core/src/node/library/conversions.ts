import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { AppError } from "../../errors.ts";
import { startCommand } from "../../format/agent.ts";
import { formatNamed } from "../../format/formats.ts";
import type { ConversionOptions, ConvertedSession } from "../../library.ts";
import type { Requester } from "../../requester.ts";
import type { SessionRecord } from "../../session/record.ts";
import { fileError } from "../files/file-errors.ts";
import { replaceFile } from "../files/replace-file.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import type { CurrentSessions } from "./current-sessions.ts";
import { ownDirectories, type SessionDirectories } from "./directories.ts";
import type { LibraryOptions } from "./library.ts";

/** Whoever has not started an agent with a brief by then makes a new one. */
const KEEP_BRIEFS_MS = 7 * 24 * 60 * 60 * 1000;

interface ConversionsOptions extends Pick<LibraryOptions, "agentDir" | "agentHome" | "dataDir"> {
  index: Pick<OpenIndex, "atLength">;
  directories: Pick<SessionDirectories, "newSessionPath">;
  current: Pick<CurrentSessions, "record">;
}

/** Hands sessions over to other agents: as a session of pi, or as a brief to start with. */
export class Conversions {
  readonly #options: ConversionsOptions;

  constructor(options: ConversionsOptions) {
    this.#options = options;
  }

  async convert(
    source: SessionRecord,
    { to, entry_id, redact_words: words = [] }: ConversionOptions,
    requester?: Requester,
  ): Promise<ConvertedSession> {
    const entryId = entry_id ?? null;
    if (to !== "pi") return this.#toBrief(source, { to, entryId, words }, requester);
    if (words.length > 0) {
      throw new AppError("INVALID_PAYLOAD", "A session of pi has the texts as they are; leave redact_words out.", {
        details: [{ path: "redact_words", message: "For briefs only." }],
      });
    }
    return this.#toPi(source, entryId, requester);
  }

  async #toPi(source: SessionRecord, entryId: string | null, requester?: Requester): Promise<ConvertedSession> {
    const { index, directories, current } = this.#options;
    const { path, cwd, name } = source;
    if (cwd === null || !isAbsolute(cwd) || cwd.includes("\0")) {
      throw new AppError("CONFLICT", "This session cannot be converted, because its working directory is not known.");
    }
    const folder = join(ownDirectories(this.#options)[0] ?? "", folderOf(cwd));
    await writing(folder, async () => {
      // Only the session directories are written to.
      await directories.newSessionPath(join(folder, "new.jsonl"));
    });
    const written = await index.atLength("convert", { path, entryId, folder, cwd, name }, requester);
    const session = await current.record(written);
    return { to: "pi", session, brief: null, brief_path: null, command: session.capabilities.resume_command };
  }

  async #toBrief(
    { path, title, cwd }: SessionRecord,
    { to, entryId, words }: { to: ConvertedSession["to"]; entryId: string | null; words: readonly string[] },
    requester?: Requester,
  ): Promise<ConvertedSession> {
    const brief = await this.#options.index.atLength("brief", { path, entryId, title, words }, requester);
    const folder = join(this.#options.dataDir, "briefs");
    const file = join(folder, `${to}-${randomUUID()}.md`);
    await writing(file, async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await removeOld(folder);
      // Words of the transcript are nobody else's.
      await replaceFile(file, brief, 0o600);
    });
    return { to, session: null, brief, brief_path: file, command: startCommand(formatNamed(to).agent, cwd, file) };
  }
}

/** The folder of a working directory, as the agent names it. */
function folderOf(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

/** Removes old briefs, and what a process that was ended has left of one. */
async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found?.isFile() === true && Date.now() - found.mtimeMs > KEEP_BRIEFS_MS) await rm(path, { force: true });
  }
}

async function writing(path: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw fileError(error, "write", path) ?? error;
  }
}
