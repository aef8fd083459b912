/** What is being named in a prompt: a command of the agent at its beginning, or a file. */
export interface PromptToken {
  kind: "command" | "file";
  /** What of its name is there. */
  text: string;
  /** Where it stands in the prompt, with its sign. */
  start: number;
  end: number;
}

/** Finds what is being named where the caret is; `null` if nothing is. */
export function tokenAt(prompt: string, caret: number): PromptToken | null {
  const before = prompt.slice(0, caret);
  // Within a word nothing is begun, and what is complete is not to be completed.
  if (/^\S/.test(prompt.slice(caret))) return null;
  const command = /^\/(\S*)$/.exec(before)?.[1];
  if (command !== undefined) return { kind: "command", text: command, start: 0, end: caret };
  const file = /(?:^|\s)@([^\s"]*)$/.exec(before)?.[1];
  if (file === undefined) return null;
  return { kind: "file", text: file, start: caret - file.length - 1, end: caret };
}

/** The prompt with what was chosen for a token, and where the caret is then. */
export function withChosen(prompt: string, { kind, start, end }: PromptToken, chosen: string) {
  const name = kind === "file" && /\s/.test(chosen) ? `"${chosen}"` : chosen;
  const written = `${kind === "command" ? "/" : "@"}${name}`;
  const after = prompt.slice(end);
  const text = `${prompt.slice(0, start)}${written}${after === "" ? " " : after}`;
  return { text, caret: start + written.length + 1 };
}
