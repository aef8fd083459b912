import type { SessionRecord } from "@sm/router/client";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useService } from "../client/service-context.tsx";
import { type BranchChoice, TranscriptReader } from "./transcript-reader.ts";

/** UTF-16 units of an entry where nothing is known of its session. */
const USUAL_SIZE = 4 * 1024;

/**
 * Reads a session as long as the component is there, and follows it; `null` before the first moment.
 *
 * @param path `null` for a session that has no file yet.
 * @param choice what is shown first; later choices are `reader.show`'s.
 */
export function useTranscriptReader(
  path: string | null,
  record: SessionRecord | null,
  choice: BranchChoice,
): TranscriptReader | null {
  const service = useService();
  const [reader, setReader] = useState<TranscriptReader | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a session is opened once, with what is known then
  useEffect(() => {
    const expectedSize = record === null ? USUAL_SIZE : record.size_bytes / Math.max(1, record.message_count);
    const opened = new TranscriptReader({ call: service.call, items: service.items, path: path ?? "", expectedSize });
    if (path === null) {
      setReader(opened);
      opened.begin();
      return () => opened.close();
    }
    // What was said before there was a file stays in sight until the file is read.
    setReader((before) => (before?.hasFile === false ? before : opened));
    void opened.open(choice).then(() => setReader((shown) => (opened.isClosed ? shown : opened)));
    const stream = service.events({
      topics: ["sessions"],
      onEvent(event) {
        if (event.event === "events-lost") opened.changed();
        if (event.event === "session-changed" && event.payload.changed_paths.includes(path)) opened.changed();
      },
    });
    return () => {
      stream.close();
      opened.close();
    };
  }, [service, path]);

  useSyncExternalStore(reader?.subscribe ?? noSubscription, () => reader?.version ?? 0);
  return reader;
}

function noSubscription(): () => void {
  return () => {};
}
