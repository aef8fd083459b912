import { type RefObject, useEffect, useRef } from "react";
import type { DisclosureKind, Disclosures } from "../entries/disclosures.ts";
import { rowAt } from "../entries/rows.ts";
import type { SessionTree } from "../entries/session-tree.ts";
import { useActions } from "../shortcuts/actions.ts";
import { forkPlaces, promptPlaces } from "./panel/prompt-places.ts";
import type { TranscriptListHandle } from "./transcript-list.tsx";
import type { TranscriptReader } from "./transcript-reader.ts";
import type { TranscriptSearch } from "./transcript-search.ts";

interface TranscriptActions {
  reader: TranscriptReader;
  list: RefObject<TranscriptListHandle | null>;
  currentId: string | null;
  isFollowing: boolean;
  disclosures: Disclosures;
  panel: TranscriptSearch["panel"];
  bring(entryId: string, align: "start" | "center" | "auto"): void;
  switchTo(entryId: string): void;
  onPanel(panel: TranscriptSearch["panel"]): void;
  openFind(): void;
  toNewest(): void;
}

/** What the keyboard and the palette do in an open session. */
export function useTranscriptActions(options: TranscriptActions): void {
  const { reader, list, currentId, isFollowing, disclosures, panel, bring, switchTo, onPanel, openFind, toNewest } =
    options;
  const { pages, tree } = reader;

  /** Where the reader is: at the current entry, else behind the end or before what is in sight. */
  const placeNow = () => {
    const known = currentId === null ? -1 : pages.placeOf(currentId);
    if (known >= 0) return known;
    return isFollowing ? pages.total : (list.current?.firstInSight() ?? 0) - 1;
  };
  const goToPlace = (place: number | undefined, align: "start" | "auto") => {
    const id = place === undefined ? undefined : pages.ids[place];
    if (id !== undefined) bring(id, align);
  };
  const step = (by: 1 | -1) => {
    let place = placeNow() + by;
    while (place > 0 && place < pages.total - 1 && isHidden(place)) place += by;
    if (place >= 0 && place < pages.total && !isHidden(place)) goToPlace(place, "auto");
  };
  const isHidden = (place: number) => {
    const row = rowAt(place, (at) => pages.item(at));
    return row.kind === "absorbed" || (row.kind === "missing" && tree?.entry(pages.ids[place] ?? "")?.role === "tool");
  };
  const next = (places: readonly number[], by: 1 | -1) => {
    const now = placeNow();
    return by > 0 ? places.find((place) => place > now) : places.findLast((place) => place < now);
  };
  const toPrompt = (tree: SessionTree, by: 1 | -1) => {
    const places = promptPlaces(tree, pages.ids).map(({ place }) => place);
    goToPlace(next(places, by), "start");
  };
  const toFork = (tree: SessionTree, by: 1 | -1) => goToPlace(next(forkPlaces(tree, pages.ids), by), "start");
  const turn = (tree: SessionTree, by: 1 | -1) => {
    const fork = currentId === null ? null : tree.forkAt(currentId);
    if (fork === null) return;
    const { continuations, current } = fork;
    const to = continuations[(current + by + continuations.length) % continuations.length];
    if (to === undefined) return;
    switchTo(to);
    bring(to, "auto");
  };
  // Whoever presses a key while the session is being read means where it leads, not when.
  const steps = {
    nextPrompt: (tree: SessionTree) => toPrompt(tree, 1),
    promptBefore: (tree: SessionTree) => toPrompt(tree, -1),
    nextFork: (tree: SessionTree) => toFork(tree, 1),
    forkBefore: (tree: SessionTree) => toFork(tree, -1),
    turnRight: (tree: SessionTree) => turn(tree, 1),
    turnLeft: (tree: SessionTree) => turn(tree, -1),
    start: () => goToPlace(0, "start"),
  };
  const waiting = useRef<keyof typeof steps | null>(null);
  const take = (name: keyof typeof steps) => () => {
    if (tree === null) waiting.current = name;
    else steps[name](tree);
  };
  const latest = useRef(steps);
  latest.current = steps;
  useEffect(() => {
    const name = waiting.current;
    if (tree === null || name === null) return;
    waiting.current = null;
    latest.current[name](tree);
  }, [tree]);
  const toggleAll = (kind: DisclosureKind) => disclosures.setAll(kind, !disclosures.areOpen(kind));
  const togglePanel = (which: NonNullable<typeof panel>) => onPanel(panel === which ? undefined : which);

  const moves = { group: "session", onlyKeys: true } as const;
  useActions([
    { id: "session.next_entry", title: "transcript.next_entry", keys: "j", run: () => step(1), ...moves },
    { id: "session.entry_before", title: "transcript.entry_before", keys: "k", run: () => step(-1), ...moves },
    { id: "session.next_prompt", title: "transcript.next_prompt", keys: "n", run: take("nextPrompt"), ...moves },
    { id: "session.prompt_before", title: "transcript.prompt_before", keys: "p", run: take("promptBefore"), ...moves },
    { id: "session.next_fork", title: "transcript.next_fork", keys: "]", run: take("nextFork"), ...moves },
    { id: "session.fork_before", title: "transcript.last_fork", keys: "[", run: take("forkBefore"), ...moves },
    { id: "session.turn_right", title: "transcript.fork_next", keys: "}", run: take("turnRight"), ...moves },
    { id: "session.turn_left", title: "transcript.fork_before", keys: "{", run: take("turnLeft"), ...moves },
    { id: "session.start", title: "transcript.to_start", keys: "home", run: take("start"), ...moves },
    { id: "session.end", title: "transcript.to_end", keys: ["shift+g", "end"], group: "session", run: toNewest },
    {
      id: "session.thinking",
      title: "transcript.toggle_thinking",
      keys: "t",
      group: "session",
      run: () => toggleAll("thinking"),
    },
    {
      id: "session.tools",
      title: "transcript.toggle_tools",
      keys: "o",
      group: "session",
      run: () => toggleAll("tools"),
    },
    {
      id: "session.find",
      title: "transcript.find",
      keys: "mod+f",
      inFields: true,
      group: "session",
      run: openFind,
    },
    {
      id: "session.prompts",
      title: "transcript.toggle_prompts",
      keys: "c",
      group: "session",
      run: () => togglePanel("prompts"),
    },
    {
      id: "session.tree",
      title: "transcript.toggle_tree",
      keys: "b",
      group: "session",
      run: () => togglePanel("tree"),
    },
  ]);
}
