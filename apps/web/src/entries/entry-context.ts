import type { ToolOutput, TranscriptBlock, TranscriptItem, TreeEntry, TruncatedEntry } from "@sm/core";
import type { SessionRecord } from "@sm/router/client";
import { createContext, useContext } from "react";
import type { Notes } from "../client/notes.ts";
import type { PictureData } from "./content/picture-data.ts";
import type { Disclosures } from "./disclosures.ts";
import type { SessionTree } from "./session-tree.ts";

/** What the entries of a transcript share. */
export interface EntryContextValue {
  disclosures: Disclosures;
  /** Who speaks as the user; `null`: the user of the page. */
  owner: string | null;
  /** Bookmarks by entry: the label of the agent, or an empty text for one of the user. */
  labels: Readonly<Record<string, string>>;
  /** By edited entry, the newest entry on the branch shown that changes what the model sees of it. */
  contextEdits: ReadonlyMap<string, TreeEntry>;
  /** Reads what the model sees instead of an entry since an edit; `null`: nothing. */
  replacementOf(entryId: string, editId: string): Promise<TranscriptBlock[] | null>;
  /** What was too large to be loaded whole, by entry. */
  truncated: ReadonlyMap<string, TruncatedEntry>;
  /** Saves all of such an entry, as it is stored. */
  saveEntry(entry: TruncatedEntry): void;
  /** Reads the whole output of a tool, which the agent has moved to a file of its own. */
  outputOf(entryId: string): Promise<ToolOutput>;
  /** The images of all entries that are loaded, in their order. */
  pictures(): PictureData[];
  /** `null` until it is loaded. */
  tree: SessionTree | null;
  /** The address of an entry in this page. */
  hrefOf(entryId: string): string;
  /** Goes to an entry, on whatever branch it is. */
  goTo(entryId: string): void;
  /** Shows the newest branch through an entry, in place; `null` where the branch is fixed. */
  switchTo: ((entryId: string) => void) | null;
  /** Finds a session of an agent that this one has started, by what a result says of it; `null`: it is not here. */
  subagentOf(reference: string): SessionRecord | null;
  /** The user's notes by entry. */
  notes: Notes;
  /** Lets the user write the note on an entry. */
  editNote(entryId: string): void;
  /** Calls that are shown at the end of the transcript while they run, by their ids. */
  runningCalls: ReadonlySet<string>;
  /** Opens what can be done with an entry, at a point of the window. */
  openMenu(item: TranscriptItem, at: { x: number; y: number }): void;
}

export const EntryContext = createContext<EntryContextValue | null>(null);

export function useEntryContext(): EntryContextValue {
  const value = useContext(EntryContext);
  if (value === null) throw new Error("There is no transcript around this entry.");
  return value;
}
