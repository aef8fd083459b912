import type { Command } from "commander";

/**
 * Generates the manual page in man(7) from the definitions of the help.
 *
 * @param epilogue text after the options in the help.
 */
export function manualPage(program: Command, version: string, epilogue: string): string {
  const help = program.createHelp();
  const lines = [
    `.TH SESSION-CLI 1 "" "session-cli ${text(version)}" "User Commands"`,
    ".SH NAME",
    "session-cli \\- sessions of a coding agent",
    ".SH SYNOPSIS",
    `.B session\\-cli`,
    text(program.usage()),
    ".SH DESCRIPTION",
    text(program.description()),
    ...paragraphs(epilogue),
    ".SH OPTIONS",
    ...optionLines(program),
    ".SH COMMANDS",
  ];
  const commands = help.visibleCommands(program).filter((command) => command.name() !== "help");
  for (const command of commands.flatMap((one) => [one, ...help.visibleCommands(one)])) {
    if (command.name() === "help") continue;
    const name =
      command.parent === program || command.parent === null
        ? command.name()
        : `${command.parent.name()} ${command.name()}`;
    lines.push(
      `.SS "${text(`${name} ${command.usage()}`.replace(" [options]", ""))}"`,
      `${text(command.description())}.`,
    );
    for (const argument of help.visibleArguments(command)) {
      lines.push(".TP", `\\fI${text(argument.name())}\\fR`, text(help.argumentDescription(argument)));
    }
    lines.push(...optionLines(command));
  }
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

function optionLines(command: Command): string[] {
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .filter(({ long }) => command.parent === null || long !== "--help")
    .flatMap((option) => [".TP", `\\fB${text(option.flags)}\\fR`, text(help.optionDescription(option))]);
}

/** Keeps the lines of examples; fills other lines. */
function paragraphs(epilogue: string): string[] {
  return epilogue
    .trim()
    .split("\n\n")
    .flatMap((paragraph) => {
      const all = paragraph.split("\n").map(text);
      return /\n {2}/.test(paragraph) ? [".PP", ".nf", ...all, ".fi"] : [".PP", ...all];
    });
}

/** Escapes troff syntax: backslashes, hyphens, and a dot or quote at the beginning. */
function text(plain: string): string {
  return plain
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replace(/^([.'])/, "\\&$1");
}
