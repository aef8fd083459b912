import type { SessionWithFile } from "../catalog/session-files.ts";

/** Asks for files from one key on after the other, until there are none. @param ask `null` behind the last. */
export async function* filesInParts(
  ask: (after: number) => Promise<{ files: SessionWithFile[]; last: number } | null>,
): AsyncGenerator<SessionWithFile[], void> {
  for (let after = 0; ; ) {
    const part = await ask(after);
    if (part === null) return;
    yield part.files;
    after = part.last;
  }
}
