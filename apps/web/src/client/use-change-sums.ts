import type { SessionRecord } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import type { ChangeSums } from "./change-sums.ts";
import { useChangeSumsQueue } from "./service-context.tsx";

/** What the newest branch of a session has changed; `null` until that is known. Earlier figures stay until then. */
export function useChangeSums({
  path,
  size_bytes,
  modified_at,
  tool_call_count,
}: Pick<SessionRecord, "path" | "size_bytes" | "modified_at" | "tool_call_count">): ChangeSums | null {
  const queue = useChangeSumsQueue();
  const { data } = useQuery({
    queryKey: ["list_change_sums", path, size_bytes, modified_at] as const,
    queryFn: ({ signal }) => queue.ask(path, signal),
    // Only tools change files.
    enabled: tool_call_count > 0,
    placeholderData: (before, query) => (query?.queryKey[1] === path ? before : undefined),
  });
  return data ?? null;
}
