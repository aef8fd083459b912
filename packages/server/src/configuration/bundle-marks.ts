import type { JsonObject, PayloadIssue } from "@sm/core";
import { identifier, noteText, path, sessionName, time } from "@sm/core/input";
import { type BackedUpMarks, type Library, MAX_MARKS } from "@sm/core/node";
import * as v from "valibot";

/** The id is of the file's header, which may say anything. */
const OF_SESSION = { path, session_id: v.pipe(v.string(), v.nonEmpty("Must not be empty.")) };

function marksWith<Entries extends v.ObjectEntries>(entries: Entries) {
  const mark = v.strictObject({ ...OF_SESSION, ...entries });
  return v.optional(
    v.pipe(v.array(mark, "Must be an array."), v.maxLength(MAX_MARKS, `At most ${MAX_MARKS} of a kind.`)),
    [],
  );
}

/** Marks of sessions in a bundle: kinds that are left out have none. */
export const bundleMarks = v.strictObject({
  notes: marksWith({
    entry_id: v.nullable(identifier),
    text: v.pipe(noteText, v.nonEmpty("Must not be empty.")),
    updated_at: time,
  }),
  bookmarks: marksWith({ entry_id: identifier, created_at: time }),
  archived: marksWith({ archived_at: time }),
  favorites: marksWith({}),
  names: marksWith({ name: v.pipe(sessionName, v.nonEmpty("Must not be empty.")) }),
  tagged: marksWith({ tag_id: identifier }),
});

/** Converts marks to the form in a bundle with these tags. */
export function writeMarks(marks: BackedUpMarks, tagIds: ReadonlySet<string>): JsonObject {
  // A tag may have been deleted since its sessions were read.
  const tagged = marks.tagged.filter(({ tag_id }) => tagIds.has(tag_id));
  return { ...marks, tagged } satisfies BackedUpMarks as unknown as JsonObject;
}

export function tagProblems({ tagged }: BackedUpMarks, tagIds: ReadonlySet<string>): PayloadIssue[] {
  return tagged.flatMap(({ tag_id }, index) =>
    tagIds.has(tag_id) ? [] : [{ path: `tagged.${index}.tag_id`, message: "The bundle contains no tag with this ID." }],
  );
}

/** Gives marks to the files that their sessions have now, on this machine. */
export async function followed(marks: BackedUpMarks, library: Pick<Library, "movedSessions">): Promise<BackedUpMarks> {
  const all: { path: string; session_id: string }[] = Object.values(marks).flat();
  const sessions = new Map(all.map(({ path, session_id }) => [path, session_id]));
  const moves = await library.movedSessions([...sessions].map(([path, id]) => ({ path, id })));
  const places = new Map(moves.map(({ from, to }) => [from.path, { path: to.path, session_id: to.id }]));
  const follow = <Mark extends { path: string }>(kind: Mark[]) =>
    kind.map((mark) => ({ ...mark, ...places.get(mark.path) }));
  return {
    notes: follow(marks.notes),
    bookmarks: follow(marks.bookmarks),
    archived: follow(marks.archived),
    favorites: follow(marks.favorites),
    names: follow(marks.names),
    tagged: follow(marks.tagged),
  };
}
