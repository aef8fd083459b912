import { cut, oneLine } from "../../session/text.ts";
import { subagentAnchor } from "../subagents.ts";
import { branchList } from "./branch-list.ts";
import { codeHtml } from "./code-html.ts";
import type { RunTree } from "./run-tree.ts";

/** Maximum prompts in the contents, which are in memory until the end of the page. */
const LISTED_PROMPTS = 10_000;
/** Characters of a prompt: two or three lines in the sidebar. */
const PROMPT_LENGTH = 80;

/** A user prompt and its location. */
export interface Prompt {
  run: number;
  part: number;
  /** ID of the entry's element. */
  anchor: string;
  text: string;
}

/** The section of a subagent, and its title; empty if there is none. */
interface SubagentSection {
  number: number;
  title: string;
}

/** Collects the table of contents: the user's prompts, the branches if there are several, and the subagents. */
export class Contents {
  readonly #tree: RunTree;
  readonly #prompts: Prompt[] = [];
  #count = 0;
  readonly #subagents: SubagentSection[] = [];

  constructor(tree: RunTree) {
    this.#tree = tree;
  }

  add(prompt: Prompt): void {
    this.#count++;
    if (this.#prompts.length < LISTED_PROMPTS) this.#prompts.push({ ...prompt, text: shortened(prompt.text) });
  }

  addSubagent({ number, title }: SubagentSection): void {
    this.#subagents.push({ number, title: shortened(title) });
  }

  *html(): Generator<string> {
    yield '<nav id="contents" class="contents" aria-label="Contents" popover>\n';
    yield '<button type="button" class="close" popovertarget="contents" popovertargetaction="hide" aria-label="Close the contents">×</button>\n';
    if (this.#tree.runs.length > 1) yield* branchList(this.#tree, this.#labels());
    yield* this.#promptList();
    yield* this.#subagentList();
    yield "</nav>\n";
  }

  #labels(): (run: number) => string | null {
    const labels = new Map<number, string>();
    for (const { run, text } of this.#prompts) if (!labels.has(run)) labels.set(run, text);
    return (run) => labels.get(run) ?? null;
  }

  /** Each run has a separate list of prompts, shown together with the run. */
  *#promptList(): Generator<string> {
    yield "<section>\n<h2>Prompts</h2>\n";
    if (this.#count === 0) yield '<p class="rest">None</p>\n';
    let listed = -1;
    for (const { run, part, anchor, text } of this.#prompts) {
      if (run !== listed) {
        if (listed >= 0) yield "</ol>\n";
        const shown = this.#tree.runs[run]?.shown === true ? " shown" : "";
        yield `<ol class="prompts${shown}" data-run="${run}">\n`;
        listed = run;
      }
      yield `<li><a href="#${anchor}" data-part="${part}">${codeHtml(text)}</a></li>\n`;
    }
    if (listed >= 0) yield "</ol>\n";
    const rest = this.#count - this.#prompts.length;
    if (rest > 0) yield `<p class="rest">and ${rest.toLocaleString("en")} more</p>\n`;
    yield "</section>\n";
  }

  *#subagentList(): Generator<string> {
    if (this.#subagents.length === 0) return;
    yield '<section>\n<h2>Subagents</h2>\n<ol class="subagents">\n';
    for (const { number, title } of this.#subagents) {
      yield `<li><a href="#${subagentAnchor(number)}">${codeHtml(title === "" ? `Subagent ${number}` : title)}</a></li>\n`;
    }
    yield "</ol>\n</section>\n";
  }
}

function shortened(prompt: string): string {
  const line = oneLine(prompt, PROMPT_LENGTH + 1);
  return line.length > PROMPT_LENGTH ? `${cut(line, PROMPT_LENGTH).trimEnd()}…` : line;
}
