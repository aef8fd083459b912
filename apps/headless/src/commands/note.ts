import type { CommandOutput } from "@sm/router";
import type { Command } from "commander";
import { call } from "../connection/connection.ts";
import { findSession } from "../connection/session-argument.ts";
import type { Shell } from "../shell.ts";
import { visible } from "../terminal/visible.ts";
import { examples, localTime, tell } from "./display.ts";
import type { Run } from "./run-command.ts";

const HELP = `
Notes are kept apart from the files of sessions, and found with note:words and has:note.

Examples:
  session-cli note last "has the fix for the flaky test"
  session-cli note last --entry 4f2a91c0 "here it went wrong"
  session-cli note last
  session-cli note last ""
`;

/** Adds `note` and `notes`. */
export function addNote(program: Command, run: Run): void {
  program
    .command("note")
    .description("write a note on a session, show its notes, or remove one with an empty text")
    .argument("<session>", "path, id, beginning of an id, title, or last")
    .argument("[text...]", "the note in place of the one before")
    .option("--entry <id>", "on this entry of the session")
    .addHelpText("after", HELP)
    .action((named: string, words: string[], { entry }: { entry?: string }) =>
      run(async (connection, shell) => {
        const { path } = await findSession(named, connection);
        if (words.length === 0) {
          const notes = await call(connection, "list_notes", { path });
          show(entry === undefined ? notes : notes.filter(({ entry_id }) => entry_id === entry), shell, false);
          return;
        }
        const note = await call(connection, "set_note", { path, entry_id: entry, text: words.join(" ") });
        tell(shell, note, note === null ? "Removed the note" : "Saved the note");
      }),
    );
  program
    .command("notes")
    .description("list the notes on all sessions")
    .addHelpText("after", examples("session-cli notes", "session-cli search note:flaky"))
    .action(() => run(async (connection, shell) => show(await call(connection, "list_notes", {}), shell, true)));
}

function show(notes: CommandOutput<"list_notes">, shell: Shell, isOfAll: boolean): void {
  if (shell.json) shell.writeJson(notes);
  else shell.show(notes.length === 0 ? `${shell.colors.dim("0 notes")}\n` : notesText(notes, shell, isOfAll));
}

function notesText(notes: CommandOutput<"list_notes">, { colors }: Shell, isOfAll: boolean): string {
  const texts = notes.map(({ path, entry_id, text, updated_at }) => {
    const facts = [localTime(updated_at), isOfAll ? path : "", entry_id === null ? "" : `entry ${entry_id}`];
    const lines = text.split("\n").map((line) => `  ${visible(line)}\n`);
    return `${colors.dim(visible(facts.filter(Boolean).join(" · ")))}\n${lines.join("")}`;
  });
  return texts.join("\n");
}
