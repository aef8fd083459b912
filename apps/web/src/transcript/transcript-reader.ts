import type { FindPage, JsonObject, ToolOutput, TranscriptBlock, TranscriptPage, TruncatedEntry } from "@sm/core";
import { type Client, CommandError } from "@sm/router/client";
import { shortTasks } from "../browser/short-tasks.ts";
import { lastEntries } from "../client/first-questions.ts";
import { SessionTree, SessionTreeBuilder } from "../entries/session-tree.ts";
import { BranchPages, type LoadEntries } from "./branch-pages.ts";

/** Which branch is shown: the newest one that goes through `leaf`, or the newest of all. */
export interface BranchChoice {
  leaf: string | null;
  /** An entry that has to be on it. */
  entry: string | null;
}

export interface TranscriptReaderOptions {
  call: Client["call"];
  items: Client["items"];
  path: string;
  /** UTF-16 units of an entry on average, as far as is known. */
  expectedSize: number;
}

/** Maximum entries requested at once when a session has grown. */
const MAX_APPENDED = 200;

/**
 * Reads one session: a branch in pages, and the tree, which comes later and makes the rest of the session known.
 * Follows what is appended without reading anything again.
 */
export class TranscriptReader {
  readonly #options: TranscriptReaderOptions;
  readonly #listeners = new Set<() => void>();
  #choice: BranchChoice = { leaf: null, entry: null };
  #treeLoad: Promise<void> | null = null;
  #catchUp: Promise<void> | null = null;
  #hasMore = false;

  /** Whether it is followed no more. */
  isClosed = false;
  /** `false` where the session has none yet. */
  hasFile = true;
  readonly pages: BranchPages;
  /** `null` until it is loaded. */
  tree: SessionTree | null = null;
  treeError: unknown = null;
  /** What was too large for its page, by entry. */
  readonly truncated = new Map<string, TruncatedEntry>();
  /** Counts changes of anything that is shown. */
  version = 0;

  constructor(options: TranscriptReaderOptions) {
    this.#options = options;
    this.pages = this.branchPages();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Separate pages of a branch, for comparing two branches. */
  branchPages(): BranchPages {
    return new BranchPages({
      load: this.load,
      expectedSize: this.#options.expectedSize,
      onChange: () => this.#changed(),
      onStale: () => void this.reload(),
    });
  }

  /** Reads the last entries of the branch that ends at `leafId`. */
  readonly load: LoadEntries = async ({ leafId, limit }) => {
    const { call, path } = this.#options;
    return this.#pageOf(await call("read_transcript", lastEntries(path, leafId, limit)));
  };

  /** Has the branch that ends at `leafId` looked through for text, from where the cursor says. */
  find(question: { query: string; leafId: string; cursor: string | null }, signal: AbortSignal): Promise<FindPage> {
    const { call, path } = this.#options;
    const { query, leafId, cursor } = question;
    return call("find_in_session", { path, query, leaf_id: leafId, cursor }, { signal });
  }

  /** Reads what the model sees instead of an entry since an edit; `null`: nothing. */
  async replacement(entryId: string, editId: string): Promise<TranscriptBlock[] | null> {
    const { call, path } = this.#options;
    const branch = this.tree?.branch(editId) ?? [];
    // An edit stands behind what it edits: there is a next one.
    const before = branch[branch.indexOf(entryId) + 1];
    const page = this.#pageOf(await call("read_transcript", { path, leaf_id: editId, before, limit: 1 }));
    const [item] = page.items;
    return item !== undefined && "context_edit" in item ? (item.context_edit?.replacement ?? null) : null;
  }

  /** Reads the whole output of a tool, which the agent has moved to a file of its own. */
  output(entryId: string): Promise<ToolOutput> {
    const { call, path } = this.#options;
    return call("read_tool_output", { path, entry_id: entryId });
  }

  /** Reads an entry as its agent has stored it. */
  async source(entryId: string): Promise<JsonObject> {
    const { call, path } = this.#options;
    const { entries } = await call("read_session_entries", { path, leaf_id: entryId, limit: 1 });
    // Entries are as stored: JSON.
    return (entries[0] ?? {}) as JsonObject;
  }

  /** Shows a session that has no file yet. */
  begin(): void {
    this.hasFile = false;
    this.tree = new SessionTree([]);
    this.pages.begin();
  }

  /** Opens the session at a position: first the entries, then the tree. */
  async open(choice: BranchChoice): Promise<void> {
    this.#choice = choice;
    await this.pages.open(choice.entry ?? choice.leaf);
    if (this.isClosed) return;
    // A link to an entry that is gone leads to the session all the same.
    if (this.pages.error instanceof CommandError && this.pages.error.code === "NOT_FOUND" && choice.entry !== null) {
      return this.open({ leaf: choice.leaf, entry: null });
    }
    await this.#loadTree();
  }

  /** Shows another branch. Needs the tree. */
  show(choice: BranchChoice): void {
    this.#choice = choice;
    this.#applyTree();
  }

  /** The leaf to name in a URL for the newest branch through an entry; `null` for the newest of all. */
  leafThrough(entryId: string): string | null {
    const leaf = this.tree?.leafBelow(entryId) ?? entryId;
    return leaf === this.tree?.newestId ? null : leaf;
  }

  /** Whether the branch that is shown is the newest, which grows. */
  get isNewest(): boolean {
    return this.tree === null ? this.#choice.leaf === null : this.#leafOf(this.tree) === this.tree.newestId;
  }

  /** When the newest entry was written, in milliseconds; `null` where that is not known. */
  get newestAt(): number | null {
    const { tree, pages } = this;
    const newest = tree === null ? pages.item(pages.total - 1) : tree.entry(tree.newestId ?? "");
    const time = Date.parse(newest?.timestamp ?? "");
    return Number.isNaN(time) ? null : time;
  }

  /** Must be called when the file has changed. */
  changed(): void {
    this.#hasMore = true;
    this.#catchUp ??= this.#catchUpAll().finally(() => {
      this.#catchUp = null;
    });
  }

  /** Reloads the tree; entries still on the branch are kept. */
  async reload(): Promise<void> {
    this.#treeLoad = null;
    await this.#loadTree();
  }

  retry(): void {
    if (this.pages.error !== null) this.pages.retry();
    if (this.treeError !== null || this.tree === null) void this.reload();
  }

  close(): void {
    this.isClosed = true;
    this.pages.close();
  }

  #loadTree(): Promise<void> {
    this.#treeLoad ??= this.#readTree();
    return this.#treeLoad;
  }

  async #readTree(): Promise<void> {
    try {
      const tree = await this.#wholeTree();
      if (this.isClosed) return;
      this.tree = tree;
      this.treeError = null;
      this.#applyTree();
    } catch (error) {
      this.#treeLoad = null;
      this.treeError = error;
    }
    this.#changed();
  }

  /** One of a long session has megabytes. */
  async #wholeTree(): Promise<SessionTree> {
    const { items, path } = this.#options;
    const builder = new SessionTreeBuilder();
    const pause = shortTasks();
    for await (const entries of items("read_session_tree", { path })) {
      builder.add(entries);
      await pause();
    }
    const tree = builder.tree();
    await pause();
    tree.findForks();
    await pause();
    return tree;
  }

  #applyTree(): void {
    if (this.tree === null) return;
    this.pages.setBranch(this.tree.branch(this.#leafOf(this.tree) ?? ""));
    this.#changed();
  }

  #leafOf(tree: SessionTree): string | null {
    const { leaf, entry } = this.#choice;
    const through = leaf !== null && tree.has(leaf) ? tree.leafBelow(leaf) : tree.newestId;
    if (entry === null || !tree.has(entry) || through === null) return through;
    return tree.isOnBranch(entry, through) ? through : tree.leafBelow(entry);
  }

  async #catchUpAll(): Promise<void> {
    await this.#treeLoad;
    while (this.#hasMore && !this.isClosed) {
      this.#hasMore = false;
      if (!(await this.#readAppended())) await this.reload();
    }
  }

  /** `false` where more has happened than that the newest branch has grown. */
  async #readAppended(): Promise<boolean> {
    const { call, path } = this.#options;
    const before = this.tree;
    const last = before?.newestId ?? null;
    if (before === null || last === null) return false;
    try {
      const answer = await call("read_transcript", { path, after: last, limit: MAX_APPENDED });
      const { items, entries, labels, has_more_after } = this.#pageOf(answer);
      if (this.isClosed || this.tree !== before) return true;
      const isShown = this.isNewest;
      this.pages.setLabels(labels);
      this.tree = before.with(entries);
      if (isShown) this.pages.append(items);
      if (has_more_after) this.#hasMore = true;
      this.#changed();
      return true;
    } catch (error) {
      if (error instanceof CommandError && (error.code === "INVALID_PAYLOAD" || error.code === "NOT_FOUND"))
        return false;
      this.treeError = error;
      this.#changed();
      return true;
    }
  }

  #pageOf(answer: unknown): TranscriptPage {
    // What is in it as stored is JSON.
    const page = answer as TranscriptPage;
    for (const one of page.truncated_entries) if (one.entry_id !== null) this.truncated.set(one.entry_id, one);
    return page;
  }

  #changed(): void {
    this.version++;
    for (const listener of [...this.#listeners]) listener();
  }
}
