import { codeBlock } from "./code.ts";
import type { ToolCallBlock, ToolResultMessage } from "./entry.ts";
import { command, commandOutput } from "./output.ts";
import type { Project, SourceFile } from "./project.ts";
import { type Topic, template } from "./topic.ts";

/** What a tool was asked and what it answered. */
export interface ToolUse {
  name: string;
  arguments: ToolCallBlock["arguments"];
  result: string;
  details: ToolResultMessage["details"];
  isError: boolean;
}

const LINE_CHARACTERS = 36;
const CONTEXT_LINES = 4;
const FAILURE = template("Command exited with code $n\n$p: $m");

/** The tools of one session, over its own copies of the files that it edits. */
export class Workspace {
  readonly #project: Project;
  readonly #topic: Topic;
  readonly #edited = new Map<string, string[]>();

  constructor(project: Project, topic: Topic) {
    this.#project = project;
    this.#topic = topic;
  }

  /** Calls one tool, as often as agents call it, with a result of about so many characters where that is free. */
  use(characters: number): ToolUse {
    const choice = this.#topic.random.below(100);
    if (choice < 45) return this.bash(characters);
    if (choice < 70) return this.#read(characters);
    if (choice < 88) return this.#edit();
    if (choice < 97) return this.#grep(characters);
    return this.#write(characters);
  }

  bash(characters: number): ToolUse {
    const isError = this.#topic.random.chance(0.06);
    const output = commandOutput(this.#topic, characters);
    return {
      name: "bash",
      arguments: { command: command(this.#topic) },
      result: isError ? `${output}\n${this.#topic.fill(FAILURE)}` : output,
      details: undefined,
      isError,
    };
  }

  #read(characters: number): ToolUse {
    const { random } = this.#topic;
    const { path, lines } = this.#file();
    const limit = Math.max(1, Math.round(characters / LINE_CHARACTERS));
    const offset = limit < lines.length && random.chance(0.5) ? random.below(lines.length - limit) : 0;
    return {
      name: "read",
      arguments: offset === 0 ? { path } : { path, offset: offset + 1, limit },
      result: lines.slice(offset, offset + limit).join("\n"),
      details: undefined,
      isError: false,
    };
  }

  #edit(): ToolUse {
    const { random } = this.#topic;
    const { path, lines } = this.#file();
    const start = random.below(lines.length);
    const removed = lines.slice(start, start + random.between(1, 12));
    const added = codeBlock(this.#topic, this.#project.language);
    const changed = [...lines.slice(0, start), ...added, ...lines.slice(start + removed.length)];
    this.#edited.set(path, changed);
    const numbered = (mark: string, first: number, text: string[]): string[] =>
      text.map((line, index) => `${mark}${String(first + index + 1).padStart(4)} ${line}`);
    const before = Math.max(0, start - CONTEXT_LINES);
    const diff = [
      ...numbered(" ", before, lines.slice(before, start)),
      ...numbered("-", start, removed),
      ...numbered("+", start, added),
      ...numbered(" ", start + added.length, changed.slice(start + added.length, start + added.length + CONTEXT_LINES)),
    ].join("\n");
    return {
      name: "edit",
      arguments: { path, edits: [{ oldText: removed.join("\n"), newText: added.join("\n") }] },
      result: `Successfully replaced 1 block(s) in ${path}.`,
      details: { diff, firstChangedLine: start + 1 },
      isError: false,
    };
  }

  #grep(characters: number): ToolUse {
    const { random } = this.#topic;
    let result = "";
    while (result.length < characters) {
      const { path, lines } = this.#file();
      const line = random.below(lines.length);
      result += `${path}:${line + 1}: ${lines[line] ?? ""}\n`;
    }
    const pattern = this.#topic.name().camel;
    return { name: "grep", arguments: { pattern, path: "src" }, result, details: undefined, isError: false };
  }

  #write(characters: number): ToolUse {
    const path = this.#topic.path();
    const lines: string[] = [];
    for (let length = 0; length < characters; ) {
      const block = codeBlock(this.#topic, this.#project.language);
      lines.push(...block, "");
      length += block.length * LINE_CHARACTERS;
    }
    this.#edited.set(path, lines);
    const content = lines.join("\n");
    return {
      name: "write",
      arguments: { path, content },
      result: `Successfully wrote ${content.length} bytes to ${path}`,
      details: undefined,
      isError: false,
    };
  }

  #file(): SourceFile {
    const { path, lines } = this.#topic.random.pickSkewed(this.#project.files);
    return { path, lines: this.#edited.get(path) ?? lines };
  }
}
