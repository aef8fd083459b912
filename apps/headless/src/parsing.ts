import type { Command, Option } from "commander";

/** Replaces the dash of an excluded word in a query. */
const DASH = "\ue000";

/**
 * Changes the parsing of the command line in two ways. An option that a command defines belongs to the command, even if
 * the program has one of the same name. And words such as `-notes` in a query, which would be parsed as option `-n
 * otes`, get another character for the dash, see `queryWord`.
 *
 * @param search the command whose arguments are a query.
 */
export function adjustParsing(program: Command, search: Command): void {
  const own = program as { options: readonly Option[] };
  const { options } = program;
  const parse = program.parseOptions.bind(program);
  program.parseOptions = (argv) => {
    const command = commandIn(argv, program);
    const taken = new Set(command === program ? [] : command.options.map(({ long }) => long));
    try {
      own.options = options.filter(({ long }) => !taken.has(long));
      return parse(command === search ? protectWords(argv, takingValue([...options, ...search.options])) : argv);
    } finally {
      own.options = options;
    }
  };
}

/** Restores a word of a query as typed. */
export function queryWord(word: string): string {
  return word.startsWith(DASH) ? `-${word.slice(1)}` : word;
}

/** The command that the words select. */
function commandIn(argv: readonly string[], program: Command): Command {
  let command = program;
  const isValueOption = takingValue(program.options);
  for (const [at, word] of argv.entries()) {
    if (word === "--") break;
    if (word.startsWith("-") || isValueOption(argv[at - 1])) continue;
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
  }
  return command;
}

function protectWords(argv: readonly string[], isValueOption: (word: string | undefined) => boolean): string[] {
  const end = argv.indexOf("--");
  return argv.map((word, at) => {
    const isWord = /^-[^-]./.test(word) && !/^-n\d+$/.test(word) && (end === -1 || at < end);
    return isWord && !isValueOption(argv[at - 1]) ? DASH + word.slice(1) : word;
  });
}

/** Whether a word is an option whose value is the next word. */
function takingValue(options: readonly Option[]): (word: string | undefined) => boolean {
  const names = new Set(options.filter(({ required }) => required).flatMap(({ short, long }) => [short, long]));
  return (word) => word !== undefined && names.has(word);
}
