import type { SessionRecord } from "@sm/router/client";
import { useRef, useState } from "react";
import { useService } from "../client/service-context.tsx";
import { type DeletedAlong, previewDeletion } from "./deletion-preview.ts";
import type { SessionActions } from "./session-actions.ts";

/** A deletion that is asked for, with what it takes along. */
interface AskedDeletion {
  records: readonly SessionRecord[];
  along: DeletedAlong;
}

/** Deletes sessions, after a question where an agent is at work in one or files beside them go along. */
export interface Deletion {
  remove(records: readonly SessionRecord[]): void;
  /** What `DeleteHost` shows; `null` for nothing. */
  asked: AskedDeletion | null;
  answer(isConfirmed: boolean): void;
}

/** @param onDeleted told the paths that have left the list. */
export function useDeletion(actions: SessionActions, onDeleted?: (paths: readonly string[]) => void): Deletion {
  const service = useService();
  const [asked, setAsked] = useState<AskedDeletion | null>(null);
  const latest = useRef(0);

  function removeNow(records: readonly SessionRecord[]) {
    actions.remove(records, { force: records.some(({ is_live }) => is_live) });
    onDeleted?.(records.map(({ path }) => path));
  }

  return {
    asked,
    async remove(records) {
      latest.current += 1;
      const number = latest.current;
      const along = await previewDeletion(service, records);
      if (number !== latest.current) return;
      if (along.subagents + along.files > 0 || records.some(({ is_live }) => is_live)) setAsked({ records, along });
      else removeNow(records);
    },
    answer(isConfirmed) {
      if (asked !== null && isConfirmed) removeNow(asked.records);
      setAsked(null);
    },
  };
}
