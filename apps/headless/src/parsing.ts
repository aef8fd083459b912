import type { Command, Option } from "commander";

/** Stands in a query for the dash of a word that must not be there. */
const DASH = "\ue000";

/**
 * Changes two things about how the words of a command line are read. An option that a command has itself is the
 * command's, although the program has one of the same name. And a query may have words such as `-notes`, which would be
 * read as the option `-n otes`: they reach the command with another character for the dash, see `queryWord`.
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

/** Gives a word of a query back as it was typed. */
export function queryWord(word: string): string {
  return word.startsWith(DASH) ? `-${word.slice(1)}` : word;
}

/** Finds the command that words lead to. */
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
