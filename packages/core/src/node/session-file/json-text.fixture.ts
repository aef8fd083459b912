import fc from "fast-check";

/** Ways of writing the same JSON that no agent uses. */
const escapeLetters = (json: string) =>
  json.replace(/[a-e]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16).toUpperCase()}`);
const spaced = (json: string) => JSON.stringify(JSON.parse(json), null, "\t").replaceAll("\n", " \r ");

/** A line of an object as somebody may write it, as bytes, whole or damaged. */
export function written(object: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const json = object.map((value) => JSON.stringify(value));
  const twice = fc
    .tuple(json, json)
    .filter(([a, b]) => a.startsWith("{") && b.startsWith("{"))
    .map(([a, b]) => `${a.slice(0, -1)}${a === "{}" || b === "{}" ? "" : ","}${b.slice(1)}`);
  const whole = fc.oneof(json, json, twice, json.map(escapeLetters), json.map(spaced)).map((text) => Buffer.from(text));
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.integer({ min: 0, max: 3 }),
    put: fc.constantFrom(...'"\\{}[]:,-0.e \u0000\n', "\\u12", "tru", "\u00a0", "01", "1e+", '"a":1,'),
  });
  const damaged = fc.tuple(whole, change).map(([bytes, { at, removed, put }]) => {
    const start = Math.floor(at * bytes.length);
    const between = put === "\u00a0" ? Buffer.from([0xe2, 0x82]) : Buffer.from(put);
    return Buffer.concat([bytes.subarray(0, start), between, bytes.subarray(start + removed)]);
  });
  return fc.oneof(whole, damaged);
}
