import { cutText } from "../../export/wording.ts";
import type { TranscriptItem } from "../../session/transcript.ts";
import { transcriptItem } from "../../session/transcript-layout.ts";
import { endOf, lineOf, type OpenSession, openAgain } from "./open-session.ts";

/**
 * Reads entries one at a time, in the given order.
 *
 * The file stays open until the last one is read or the generator is closed.
 */
export function* itemsAt(session: OpenSession, ordinals: Iterable<number>): Generator<TranscriptItem> {
  const file = openAgain(session.source.path);
  try {
    for (const ordinal of ordinals) {
      const line = lineOf(session, file, ordinal, endOf(session.fold.outline, ordinal), cutText);
      yield transcriptItem(session, ordinal, line, null);
    }
  } finally {
    file.close();
  }
}
