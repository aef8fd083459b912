import type { SessionRecord } from "@sm/router/client";
import type { Service } from "../client/service.ts";

/** What deleting sessions takes along. */
export interface DeletedAlong {
  subagents: number;
  /** Other files, such as tool results and images. */
  files: number;
  bytes: number;
  /** Whether there may be more: not all sessions were looked at. */
  isPart: boolean;
}

/** Sessions that are looked at; more would keep the user waiting. */
const MOST_PREVIEWED = 200;
/** Previews that are asked for at once. */
const AT_ONCE = 20;

/** Asks what belongs to sessions besides their own files. What cannot be previewed is told when it is deleted. */
export async function previewDeletion(
  service: Pick<Service, "call">,
  records: readonly Pick<SessionRecord, "path">[],
): Promise<DeletedAlong> {
  const along: DeletedAlong = { subagents: 0, files: 0, bytes: 0, isPart: records.length > MOST_PREVIEWED };
  const previewed = records.slice(0, MOST_PREVIEWED);
  for (let start = 0; start < previewed.length; start += AT_ONCE) {
    const previews = previewed
      .slice(start, start + AT_ONCE)
      .map(({ path }) => service.call("preview_deletion", { path }).catch(() => null));
    for (const preview of await Promise.all(previews)) {
      if (preview === null) continue;
      along.subagents += preview.subagents;
      along.files += preview.companions - preview.subagents;
      along.bytes += preview.companion_bytes;
    }
  }
  return along;
}
