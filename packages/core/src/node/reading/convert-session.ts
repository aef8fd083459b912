import { writeFileSync } from "node:fs";
import { type ConversionOrigin, piLines } from "../../hand-over/pi-lines.ts";
import { branchTo } from "../../session/tree.ts";
import { writeSessionFile } from "../session-file/new-session-file.ts";
import { withSessionFile } from "../session-file/session-file.ts";
import { newEntryId } from "./append.ts";
import { itemsAt } from "./branch-items.ts";
import type { OpenSession } from "./open-session.ts";
import { withWholeOutput } from "./tool-output.ts";
import type { NewSession } from "./write-fork.ts";

/** Lines are written together. */
const CHUNK_CHARACTERS = 256 * 1024;

/**
 * Writes the branch that ends at an entry as a new session of pi, whatever its format is.
 *
 * @throws the file system's error with its `code`; leaves no file behind then.
 */
export function writeConversion(
  session: OpenSession,
  { leaf, origin, cwd, name }: { leaf: number; origin: ConversionOrigin; cwd: string; name: string | null },
  target: NewSession,
): void {
  const { fold, parents, source } = session;
  const { permissions } = withSessionFile(source.path, (file) => ({ permissions: file.permissions }));
  const taken = new Set<string>();
  const newId = () => {
    const id = newEntryId((candidate) => taken.has(candidate));
    taken.add(id);
    return id;
  };
  const { models, providers } = fold.state;
  const converted = { id: target.id, cwd, name, origin, model: models[0] ?? null, provider: providers[0] ?? null };
  writeSessionFile(target.path, permissions, (descriptor) => {
    let waiting: string[] = [];
    let characters = 0;
    const write = () => {
      if (waiting.length > 0) writeFileSync(descriptor, `${waiting.join("\n")}\n`);
      waiting = [];
      characters = 0;
    };
    for (const line of piLines(itemsOf(session, branchTo(parents, leaf)), converted, newId)) {
      const text = JSON.stringify(line);
      waiting.push(text);
      characters += text.length;
      if (characters >= CHUNK_CHARACTERS) write();
    }
    write();
  });
}

function* itemsOf(session: OpenSession, ordinals: Int32Array) {
  for (const item of itemsAt(session, ordinals)) yield withWholeOutput(session, item);
}
