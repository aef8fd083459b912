import { expect, it } from "vitest";
import { TerminalModes } from "./modes.ts";

it.each([
  ["nothing", "plain \x1b[31mtext\x1b[4h", ""],
  ["the alternate screen", "\x1b[?1049h", "\x1b[?1049h"],
  ["what a full-screen program sets", "\x1b[?1049h\x1b[?1h\x1b=\x1b[?25l", "\x1b[?1049h\x1b[?1h\x1b[?66h\x1b[?25l"],
  ["several at once", "\x1b[?1000;1006;2004h", "\x1b[?1000h\x1b[?1006h\x1b[?2004h"],
  ["what was reset", "\x1b[?1049h\x1b[?25l\x1b[?1h\x1b=\x1b[?25h\x1b[?1l\x1b>\x1b[?1049l", ""],
  ["what was set again, in the order of the last time", "\x1b[?1h\x1b[?2004h\x1b[?1h", "\x1b[?2004h\x1b[?1h"],
  ["a reset of everything", "\x1b[?1049h\x1b[?25l\x1bc\x1b[?2004h", "\x1b[?2004h"],
  ["single characters for ESC [", "\x9b?1049h", "\x1b[?1049h"],
  ["none that only a moment needs", "\x1b[?2026h\x1b[?1048h\x1b[?3h\x1b[?999999999999h\x1b[?;h", ""],
])("follows %s", (_, output, sequences) => {
  const modes = new TerminalModes();
  modes.read(output);
  expect(modes.sequences).toBe(sequences);
});
