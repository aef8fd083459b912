import { expect, it } from "vitest";
import { withoutCopies } from "./thread-files.ts";

const STAMP = { size: 1, mtime: 1, ctime: 1, inode: 1 };
const NAME = "rollout-2026-06-20T11-00-00-019ee442-2280-7ce8-84dc-76868da61193.jsonl";
const ACTIVE = `/home/.codex/sessions/2026/06/20/${NAME}`;
const ARCHIVED = `/home/.codex/archived_sessions/${NAME}`;

it.each([
  ["a plain and a compressed one", [`${ACTIVE}.zst`, ACTIVE], [ACTIVE]],
  ["an archived and an active one", [ARCHIVED, ACTIVE], [ACTIVE]],
  ["an active one that is compressed", [`${ACTIVE}.zst`, ARCHIVED], [`${ACTIVE}.zst`]],
  ["all of them", [`${ARCHIVED}.zst`, ARCHIVED, `${ACTIVE}.zst`, ACTIVE], [ACTIVE]],
  ["a compressed one alone", [`${ACTIVE}.zst`], [`${ACTIVE}.zst`]],
  ["files of others", ["/a/s.jsonl", "/b/s.jsonl"], ["/a/s.jsonl", "/b/s.jsonl"]],
])("of %s, one counts", (_, paths, counting) => {
  const found = withoutCopies(paths.map((path) => ({ path, stamp: STAMP })));
  expect(found.map(({ path }) => path)).toEqual(counting);
});
