import type { SessionLibrary } from "@sm/core";
import { archivedSessionsInput } from "@sm/core/input";
import { commandUsing, type DescribeError } from "../command.ts";
import { errorSchema } from "../schema/error.ts";
import * as v from "../schema/json.ts";
import { SESSION } from "./example-values.ts";

const command = commandUsing<"sessions">();

const archivedChange = v.strictObject({
  changed: v.pipe(v.array(v.string()), v.description("Paths of the sessions that were not so before.")),
  failed: v.array(v.strictObject({ path: v.string(), error: errorSchema })),
});

export const archiveCommands = {
  archive_session: command({
    summary: "Archives sessions, which lists and searches then leave out with their subagents; files stay as they are.",
    access: "write",
    input: archivedSessionsInput,
    example: { paths: [SESSION] },
    output: archivedChange,
    run: ({ paths }, { sessions }, { describe }) => changed(sessions, paths, true, describe),
  }),

  unarchive_session: command({
    summary: "Takes sessions back from the archive.",
    access: "write",
    input: archivedSessionsInput,
    example: { paths: [SESSION] },
    output: archivedChange,
    run: ({ paths }, { sessions }, { describe }) => changed(sessions, paths, false, describe),
  }),
};

async function changed(
  sessions: Pick<SessionLibrary, "setArchived">,
  paths: string[],
  isArchived: boolean,
  describe: DescribeError,
): Promise<v.InferOutput<typeof archivedChange>> {
  const { changed, failed } = await sessions.setArchived(paths, isArchived);
  return { changed, failed: failed.map(({ path, error }) => ({ path, error: describe(error) })) };
}
