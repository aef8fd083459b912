import { Argument, type Command } from "commander";
import { SHELLS, type ShellName } from "../completion/complete.ts";

const HELP = `
Completes sessions, tags, projects and more from the running server.

Examples:
  session-cli completion bash > ~/.local/share/bash-completion/completions/session-cli
  session-cli completion zsh > ~/.zfunc/_session-cli             with fpath+=~/.zfunc before compinit
  session-cli completion fish > ~/.config/fish/completions/session-cli.fish
`;

const shell = () => new Argument("<shell>", "which shell").choices(SHELLS);

/** Adds `completion`, and the hidden command that its scripts call at each TAB. */
export function addCompletion(program: Command, write: (text: string) => void): void {
  program
    .command("completion")
    .description("write the completion script of a shell")
    .addArgument(shell())
    .addHelpText("after", HELP)
    .action(async (name: ShellName) => {
      const { SCRIPTS } = await import("../completion/scripts.ts");
      write(SCRIPTS[name]);
    });
  program
    .command("__complete", { hidden: true })
    .addArgument(shell())
    .argument("[word...]")
    .action(async (name: ShellName, words: string[]) => {
      const { complete } = await import("../completion/complete.ts");
      write(await complete(name, words, program, process.env));
    });
}
