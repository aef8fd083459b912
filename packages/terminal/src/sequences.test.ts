import { Terminal } from "@xterm/headless";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endOfSequence, SequenceScanner } from "./sequences.ts";

const sequences = [
  "😀",
  "\x1b[31m",
  "\x1b[?1049h",
  "\x1b[38:2::1:2:3m",
  "\x1b[1;2 q",
  "\x1b[!p",
  "\x1b[!\x7fp",
  "\x1b[1\n;2H",
  "\x1b(B",
  "\x1b(\x7fB",
  "\x1b)0",
  "\x1b#8",
  "\x1b=",
  "\x1b7",
  "\x1b]0;title\x07",
  "\x1b]8;;http://a/ü\x1b\\",
  "\x1bP1$qm\x1b\\",
  "\x1bPq#0;2;0;0;0~~\x1b\\",
  "\x1b_Gf=24;AAAA\x1b\\",
  "\x1b^private\x1b\\",
  "\x9b1m",
  "\x9d2;c1 title\x9c",
  "\x90+q436f\x9c",
];

/** Everything that the parser of a terminal tells apart, but for a capital Z, which the tests print. */
const signs = [
  ...["\x1b", "[", "]", "P", "X", "^", "_", "\\", "?", "<", ":", ";", "0", "9", " ", "!", "(", "#", "$", "q", "m", "h"],
  ...["A", "c", "~", "\x7f", "\x00", "\x07", "\n", "\x0e", "\x18", "\x1a", "\x1c", "\x80", "\x84", "\x90", "\x98"],
  ...["\x99", "\x9a", "\x9b", "\x9c", "\x9d", "\x9e", "\x9f", "\xa0", "é", "漢", "😀"],
];
const output = fc
  .array(fc.oneof(fc.constantFrom(...sequences), fc.constantFrom(...signs), fc.constantFrom(...signs)), {
    maxLength: 25,
  })
  .map((pieces) => pieces.join(""));

/** Whether a terminal that has read this prints the next character. */
async function prints(text: string): Promise<boolean> {
  const terminal = new Terminal({ cols: 40, rows: 5, scrollback: 100, allowProposedApi: true, logLevel: "off" });
  try {
    await new Promise<void>((resolve) => terminal.write(`${text}Z`, resolve));
    const buffer = terminal.buffer.active;
    const lines = Array.from({ length: buffer.length }, (_, line) => buffer.getLine(line)?.translateToString());
    return lines.join("").includes("Z");
  } finally {
    terminal.dispose();
  }
}

function endsWithinPair(text: string): boolean {
  return /[\ud800-\udbff]$/.test(text);
}

describe("SequenceScanner", () => {
  it.each(sequences)("sees where %j ends, and nothing before", (sequence) => {
    for (let cut = 1; cut < sequence.length; cut++) {
      expect(new SequenceScanner().read(`text${sequence.slice(0, cut)}`)).toBe(4);
    }
    expect(new SequenceScanner().read(`text${sequence}`)).toBe(4 + sequence.length);
  });

  it("leaves open what a terminal does not print after, and nothing else, wherever pieces end", async () => {
    const lengths = fc.infiniteStream(fc.integer({ min: 1, max: 9 }));
    const property = fc.asyncProperty(output, lengths, async (text, stream) => {
      const scanner = new SequenceScanner();
      for (let read = 0; read < text.length; ) {
        const piece = text.slice(read, read + (stream.next().value ?? 1));
        const boundary = scanner.read(piece);
        const whole = text.slice(0, read + piece.length);
        const isOpen = boundary < piece.length;
        expect({ whole, isOpen }).toEqual({ whole, isOpen: endsWithinPair(whole) || !(await prints(whole)) });
        if (isOpen && boundary >= 0) expect(await prints(text.slice(0, read + boundary))).toBe(true);
        read += piece.length;
      }
    });
    await fc.assert(property, { numRuns: 100 });
  });
});

describe("endOfSequence", () => {
  it("finds the first place from which on a terminal prints", async () => {
    const property = fc.asyncProperty(output, fc.nat(), async (text, at) => {
      const cut = at % (text.length + 1);
      fc.pre(!endsWithinPair(text.slice(0, cut)));
      const scanner = new SequenceScanner();
      scanner.read(text.slice(0, cut));
      const end = cut + endOfSequence(scanner.state, text.slice(cut));
      for (let place = cut; place < end; place++) {
        const begun = text.slice(0, place);
        if (!endsWithinPair(begun)) expect({ begun, prints: await prints(begun) }).toEqual({ begun, prints: false });
      }
      if (end < text.length) expect(await prints(text.slice(0, end))).toBe(true);
    });
    await fc.assert(property, { numRuns: 100 });
  });
});
