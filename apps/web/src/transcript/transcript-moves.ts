import type { RefObject } from "react";
import { rowAt } from "../entries/rows.ts";
import type { SessionTree } from "../entries/session-tree.ts";
import { forkPlaces, promptPlaces } from "./panel/prompt-places.ts";
import type { TranscriptListHandle } from "./transcript-list.tsx";
import type { TranscriptReader } from "./transcript-reader.ts";

export interface MovesOptions {
  reader: TranscriptReader;
  list: RefObject<TranscriptListHandle | null>;
  currentId: string | null;
  isFollowing: boolean;
  bring(entryId: string, align: "start" | "auto"): void;
  switchTo(entryId: string): void;
}

/** The ways from where the reader is in a session to somewhere else in it. */
export interface Moves {
  /** To the next entry that is shown, or the one before. */
  step(by: 1 | -1): void;
  /** Those that need the tree. */
  inTree: Readonly<Record<TreeMove, (tree: SessionTree) => void>>;
}

export type TreeMove = "nextPrompt" | "promptBefore" | "nextFork" | "forkBefore" | "turnRight" | "turnLeft" | "start";

export function movesIn({ reader, list, currentId, isFollowing, bring, switchTo }: MovesOptions): Moves {
  const { pages, tree } = reader;
  return {
    step(by) {
      let place = placeNow() + by;
      while (place > 0 && place < pages.total - 1 && isHidden(place)) place += by;
      if (place >= 0 && place < pages.total && !isHidden(place)) goToPlace(place, "auto");
    },
    inTree: {
      nextPrompt: (tree) => toPrompt(tree, 1),
      promptBefore: (tree) => toPrompt(tree, -1),
      nextFork: (tree) => toFork(tree, 1),
      forkBefore: (tree) => toFork(tree, -1),
      turnRight: (tree) => turn(tree, 1),
      turnLeft: (tree) => turn(tree, -1),
      start: () => goToPlace(0, "start"),
    },
  };

  /** Where the reader is: at the current entry, else behind the end or before what is in sight. */
  function placeNow(): number {
    const known = currentId === null ? -1 : pages.placeOf(currentId);
    if (known >= 0) return known;
    return isFollowing ? pages.total : (list.current?.firstInSight() ?? 0) - 1;
  }

  function goToPlace(place: number | undefined, align: "start" | "auto"): void {
    const id = place === undefined ? undefined : pages.ids[place];
    if (id !== undefined) bring(id, align);
  }

  function isHidden(place: number): boolean {
    const row = rowAt(place, (at) => pages.item(at));
    if (list.current?.isFolded(place) === true) return true;
    return row.kind === "absorbed" || (row.kind === "missing" && tree?.entry(pages.ids[place] ?? "")?.role === "tool");
  }

  function next(places: readonly number[], by: 1 | -1): number | undefined {
    const now = placeNow();
    return by > 0 ? places.find((place) => place > now) : places.findLast((place) => place < now);
  }

  function toPrompt(tree: SessionTree, by: 1 | -1): void {
    const places = promptPlaces(tree, pages.ids).map(({ place }) => place);
    goToPlace(next(places, by), "start");
  }

  function toFork(tree: SessionTree, by: 1 | -1): void {
    goToPlace(next(forkPlaces(tree, pages.ids), by), "start");
  }

  function turn(tree: SessionTree, by: 1 | -1): void {
    const fork = currentId === null ? null : tree.forkAt(currentId);
    if (fork === null) return;
    const { continuations, current } = fork;
    const to = continuations[(current + by + continuations.length) % continuations.length];
    if (to === undefined) return;
    switchTo(to);
    bring(to, "auto");
  }
}
