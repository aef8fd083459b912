import type { TreeEntry } from "@sm/core";
import { expect, it } from "vitest";
import { SessionTree } from "../../entries/session-tree.ts";
import { contentsPlaces } from "./prompt-places.ts";

const ROLES = ["user", "assistant", "assistant", "user", "tool"];
const ENTRIES = ROLES.map(
  (role, place): TreeEntry => ({
    id: `e${place}`,
    parent_id: place === 0 ? null : `e${place - 1}`,
    type: "message",
    kind: "message",
    role,
    conversation: true,
    preview: role,
    target_id: null,
    timestamp: null,
    label: null,
  }),
);

it.each([
  [{}, [0, 3]],
  [{ e2: "", e4: "good" }, [0, 2, 3, 4]],
  [{ e0: "", gone: "" }, [0, 3]],
])("contents are the prompts and what is bookmarked: %j", (labels, expected) => {
  const ids = ENTRIES.map(({ id }) => id);
  expect(contentsPlaces(new SessionTree(ENTRIES), ids, labels).map(({ place }) => place)).toEqual(expected);
});
