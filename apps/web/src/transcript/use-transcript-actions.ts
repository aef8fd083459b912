import { useEffect, useRef } from "react";
import { useMayChange } from "../client/hub.ts";
import type { DisclosureKind, Disclosures } from "../entries/disclosures.ts";
import type { SessionTree } from "../entries/session-tree.ts";
import { useActions } from "../shortcuts/actions.ts";
import { type Moves, type MovesOptions, movesIn, type TreeMove } from "./transcript-moves.ts";
import type { TranscriptSearch } from "./transcript-search.ts";

interface TranscriptActions extends MovesOptions {
  disclosures: Disclosures;
  panel: TranscriptSearch["panel"];
  onPanel(panel: TranscriptSearch["panel"]): void;
  openFind(): void;
  /** Sets a bookmark on an entry, or removes it. */
  bookmark(entryId: string): void;
  toNewest(): void;
}

/** What the keyboard and the palette do in an open session. */
export function useTranscriptActions(options: TranscriptActions): void {
  const mayChange = useMayChange();
  const { reader, disclosures, panel, onPanel, openFind, toNewest, bookmark, currentId } = options;
  const moves = movesIn(options);
  const inTree = useTreeMoves(moves, reader.tree);
  const toggleAll = (kind: DisclosureKind) => disclosures.setAll(kind, !disclosures.areOpen(kind));
  const togglePanel = (which: NonNullable<typeof panel>) => onPanel(panel === which ? undefined : which);

  const onKeys = { group: "session", onlyKeys: true } as const;
  useActions([
    { id: "session.next_entry", title: "transcript.next_entry", keys: "j", run: () => moves.step(1), ...onKeys },
    { id: "session.entry_before", title: "transcript.entry_before", keys: "k", run: () => moves.step(-1), ...onKeys },
    { id: "session.next_prompt", title: "transcript.next_prompt", keys: "n", run: inTree("nextPrompt"), ...onKeys },
    {
      id: "session.prompt_before",
      title: "transcript.prompt_before",
      keys: "p",
      run: inTree("promptBefore"),
      ...onKeys,
    },
    { id: "session.next_fork", title: "transcript.next_fork", keys: "]", run: inTree("nextFork"), ...onKeys },
    { id: "session.fork_before", title: "transcript.last_fork", keys: "[", run: inTree("forkBefore"), ...onKeys },
    { id: "session.turn_right", title: "transcript.fork_next", keys: "}", run: inTree("turnRight"), ...onKeys },
    { id: "session.turn_left", title: "transcript.fork_before", keys: "{", run: inTree("turnLeft"), ...onKeys },
    {
      id: "session.back",
      title: "transcript.to_list",
      keys: ["escape", "arrowleft"],
      isShownOnly: true,
      run: () => {},
      ...onKeys,
    },
    { id: "session.start", title: "transcript.to_start", keys: "home", run: inTree("start"), ...onKeys },
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
      run: () => {
        const isOpen = !disclosures.areOpen("tools");
        disclosures.setAll("runs", isOpen);
        disclosures.setAll("tools", isOpen);
      },
    },
    ...(currentId === null || !mayChange
      ? []
      : [
          {
            id: "session.bookmark",
            title: "transcript.toggle_bookmark",
            keys: "m",
            group: "session",
            run: () => bookmark(currentId),
          } as const,
        ]),
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
    {
      id: "session.changes",
      title: "transcript.toggle_changes",
      keys: "d",
      group: "session",
      run: () => togglePanel("changes"),
    },
  ]);
}

/** A key pressed while the session is being read is executed afterwards; only the last one counts. */
function useTreeMoves({ inTree }: Moves, tree: SessionTree | null): (name: TreeMove) => () => void {
  const waiting = useRef<TreeMove | null>(null);
  const latest = useRef(inTree);
  latest.current = inTree;
  useEffect(() => {
    const name = waiting.current;
    if (tree === null || name === null) return;
    waiting.current = null;
    latest.current[name](tree);
  }, [tree]);
  return (name) => () => {
    if (tree === null) waiting.current = name;
    else inTree[name](tree);
  };
}
