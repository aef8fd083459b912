import fc from "fast-check";
import type { LongLine } from "./long-line.ts";

/** What stands in the strings of a line, as it is written. */
const FRAGMENTS = [
  "getUserName and others",
  "\\n",
  "\\n",
  "\\\\n",
  "\\\\",
  '\\"',
  "\\t",
  "\\u000a",
  "\\u00e9",
  "\\ud83d\\ude00",
  "\\uDC00",
  "é",
  "中文",
  "😀",
  "YWJj".repeat(200),
  " ".repeat(40),
];
/** What makes a line none. */
const DAMAGE = ["\n", "\\", '"', "\\x", "\\u12", "\0"].map((text) => Buffer.from(text));
/** No UTF-8, which decoding replaces. */
const BROKEN_LETTERS = [[0xff], [0x80], [0xe4, 0xb8], [0xf0, 0x9f, 0x98]].map((bytes) => Buffer.from(bytes));

const anyWritten = fc
  .record({
    fragments: fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 8 }),
    bytes: fc.constantFrom(0, 0, 70_000, 140_000),
  })
  .map(({ fragments, bytes }) => {
    const written = fragments.join("");
    return written.repeat(Math.ceil(bytes / written.length) || 1);
  });

/** Entries with long strings wherever there may be one, some of them damaged. */
export const anyLongLine = fc
  .record({
    texts: fc.tuple(anyWritten, anyWritten, anyWritten),
    shape: fc.nat(6),
    damage: fc.option(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        removed: fc.nat(3),
        put: fc.constantFrom(...DAMAGE, ...BROKEN_LETTERS),
      }),
      { freq: 1 },
    ),
  })
  .map(({ texts: [a, b, c], shape, damage }) => {
    const messages = [
      `"role":"toolResult","toolName":"bash","content":[{"type":"text","text":"${a}"},{"type":"text","text":"${b}"}]`,
      `"role":"toolResult","toolName":"${a}","content":"${b}"`,
      `"role":"user","content":[{"type":"image","data":"${a}"},{"type":"text","text":"${b}"}]`,
      `"role":"assistant","model":"m","content":[{"type":"toolCall","name":"w","arguments":{"path":"${a}","x":["${b}"]}}]`,
      `"role":"assistant","content":[{"type":"toolCall","name":"w","arguments":{"${a}":1,"b" : "${b}"}}]`,
      `"role":"user","content":"${a}","content":"${b}"`,
      `"role":"bashExecution","command":"${a}","output":"${b}"`,
    ];
    const line = Buffer.from(`{"type":"message","id":"1","message":{${messages[shape]}},"__proto__":"${c}"}`);
    if (damage === null) return line;
    const start = Math.floor(damage.at * line.length);
    return Buffer.concat([line.subarray(0, start), damage.put, line.subarray(start + damage.removed)]);
  });

/** A file that has nothing but these bytes. */
export function sourceOf(bytes: Buffer): Parameters<typeof LongLine.open>[0] {
  return { fill: (buffer, offset) => bytes.copy(buffer, 0, offset) };
}
