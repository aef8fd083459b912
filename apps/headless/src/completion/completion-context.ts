import type { Argument, Command, Option } from "commander";

/** Context of the cursor, derived from the preceding words. */
export interface Place {
  command: Command;
  /** The option whose value is being typed, otherwise the argument; `null` for neither. */
  value: Option | Argument | null;
  /** The beginning of that value or word, as the program will receive it. */
  prefix: string;
  /** Text before the value in the same word: `--format=`. */
  lead: string;
  /** Whether options are allowed here. */
  mayBeOption: boolean;
  /** Options among the preceding words, by long name. */
  given: ReadonlyMap<string, string>;
}

/** Determines the context of the last word, without the program's name. */
export function findPlace(words: readonly string[], program: Command): Place {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  const given = new Map<string, string>();
  let command = program;
  let operands = 0;
  let pending: Option | null = null;
  let onlyOperands = false;
  for (const word of before) {
    if (pending !== null) {
      given.set(pending.long ?? "", word);
      pending = null;
    } else if (word === "--" && !onlyOperands) onlyOperands = true;
    else if (word.startsWith("-") && word.length > 1 && !onlyOperands) {
      const [name = "", ...rest] = word.split("=");
      const option = findOption(name, command, program);
      if (option !== undefined && rest.length > 0) given.set(option.long ?? "", rest.join("="));
      else if (option?.required) pending = option;
    } else {
      const next = operands === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (next === undefined) operands += 1;
      else command = next;
    }
  }
  const place = { command, given, lead: "", prefix: current, mayBeOption: !onlyOperands };
  if (pending !== null) return { ...place, value: pending, mayBeOption: false };
  const [, lead, name, value] = /^((--[\w-]+)=)(.*)$/s.exec(current) ?? [];
  if (lead !== undefined && !onlyOperands) {
    const option = findOption(name ?? "", command, program) ?? null;
    return { ...place, value: option, lead, prefix: value ?? "", mayBeOption: false };
  }
  const { registeredArguments: all } = command;
  const last = all.at(-1);
  return { ...place, value: all[operands] ?? (last?.variadic ? last : null) };
}

function findOption(name: string, command: Command, program: Command): Option | undefined {
  const options = [...command.options, ...program.options];
  return options.find(({ short, long }) => name === short || name === long);
}

/**
 * Unquotes an incomplete word like a shell: removes quotes and backslashes; a quote may be open.
 *
 * @returns the text, and the open quote.
 */
export function unquoteShellWord(word: string): { text: string; quote: '"' | "'" | null } {
  let text = "";
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < word.length; at += 1) {
    const character = word[at] ?? "";
    if (quote === null && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = null;
    else if (character === "\\" && quote !== "'") {
      at += 1;
      text += word[at] ?? "";
    } else text += character;
  }
  return { text, quote };
}
