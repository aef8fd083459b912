import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tokenize } from "@sm/text-index/analysis";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json.ts";
import { JsonScanner } from "../node/session-file/json-scanner.ts";
import { anyLine } from "../session/any-line.fixture.ts";
import { parseLine } from "../session/jsonl.ts";
import { OUTLINE_CHUNK, Outline } from "../session/outline.ts";
import type { SessionFormatName } from "../session/record.ts";
import type { OutlineRole } from "../session/roles.ts";
import { SessionFold } from "../session/session-fold.ts";
import { claudeCorpus } from "./claude-code/corpus.fixture.ts";
import { codexCorpus } from "./codex/corpus.fixture.ts";
import type { Corpus } from "./corpus.fixture.ts";
import type { SessionFormat } from "./format.ts";
import { formatNamed, formats } from "./formats.ts";
import { piCorpus } from "./pi/corpus.fixture.ts";
import { decodedLines } from "./scanned-values.ts";

// What every format must keep. A format without a corpus does not compile.

const CORPORA: Readonly<Record<SessionFormatName, Corpus>> = {
  pi: piCorpus,
  "claude-code": claudeCorpus,
  codex: codexCorpus,
};

const SHARED = join(import.meta.dirname, "../../../../../shared/fixtures");
const scanner = new JsonScanner();

interface Line {
  bytes: Buffer;
  offset: number;
}

/** A file's lines, torn and broken ones included. */
function linesOf(file: Buffer): Line[] {
  const lines: Line[] = [];
  for (let offset = 0; offset < file.length; ) {
    const end = file.indexOf(0x0a, offset);
    const bytes = file.subarray(offset, end < 0 ? file.length : end);
    lines.push({ bytes, offset });
    offset += bytes.length + 1;
  }
  return lines;
}

function fileOf(lines: readonly JsonObject[]): Buffer {
  return Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n"));
}

function add(fold: SessionFold, { bytes, offset }: Line, isScanned = false): void {
  const scanned = isScanned ? scanner.scan(bytes) : null;
  if (scanned !== null && fold.addScanned(scanned, offset, bytes.length)) {
    fold.settle();
    return;
  }
  const line = parseLine(bytes.toString());
  if (line === null) fold.addMalformed();
  else fold.add(line, offset, bytes.length);
}

function folded(lines: readonly Line[], isScanned = false): SessionFold {
  const fold = new SessionFold();
  for (const line of lines) add(fold, line, isScanned);
  return fold;
}

/** The fold as it would be read from where it is stored. */
function stored({ state, outline, activity }: SessionFold): SessionFold {
  const chunks = Array.from({ length: Math.ceil(outline.count / OUTLINE_CHUNK) }, (_, place) =>
    outline.encodeChunk(place * OUTLINE_CHUNK),
  );
  return new SessionFold({ state: JSON.parse(JSON.stringify(state)), outline: Outline.decode(chunks), activity });
}

function toldBy(fold: SessionFold) {
  const { outline } = fold;
  return {
    summary: fold.summary(),
    entries: Array.from({ length: outline.count }, (_, ordinal) => outline.at(ordinal)),
    activity: fold.activity.changedChunks(),
  };
}

function* entriesOf(fold: SessionFold, file: Buffer) {
  const { outline } = fold;
  for (let ordinal = 0; ordinal < outline.count; ordinal++) {
    const { offset, length, id, parent, role } = outline.at(ordinal);
    const bytes = file.subarray(offset, offset + length);
    const entry = parseLine(bytes.toString()) ?? {};
    yield { bytes, entry, place: { id, parentId: parent < 0 ? null : outline.id(parent), role } };
  }
}

/** All texts of a value as they are read: keys and scalars, images left out. */
function textsIn(value: JsonValue | undefined, texts: string[] = []): string[] {
  if (typeof value !== "object" || value === null) texts.push(String(value));
  else {
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) texts.push(key);
      textsIn(inner, texts);
    }
  }
  return texts;
}

function termsOf(text: string): string[] {
  return tokenize(text).map(({ term }) => term);
}

/** What can be found of a session is shown where it was found, and found without parsing just as with. */
function expectPartsShown(fold: SessionFold, file: Buffer): void {
  const format = formatNamed(fold.state.format ?? "pi");
  for (const { bytes, entry, place } of entriesOf(fold, file)) {
    const parts = format.parts(entry, place.role);
    const shown = parts.length === 0 ? [] : textsIn(format.item(entry, place) as unknown as JsonObject);
    const terms = new Set(termsOf(shown.join("\n")));
    for (const { text } of parts) expect(termsOf(text).filter((term) => !terms.has(term))).toEqual([]);
    expectScannedAsParsed(format, bytes, place.role);
  }
}

function expectScannedAsParsed(format: SessionFormat, bytes: Uint8Array, role: OutlineRole): void {
  const entry = parseLine(Buffer.from(bytes).toString());
  const line = scanner.scan(bytes);
  const scanned = line === null ? null : (format.scannedParts?.(line, role) ?? null);
  if (line === null || entry === null || scanned === null) return;
  expect(scanned.map(({ pieces, ...part }) => ({ ...part, terms: termsOf(decodedLines(line, pieces)) }))).toEqual(
    format.parts(entry, role).map(({ text, ...part }) => ({ ...part, terms: termsOf(text) })),
  );
}

function sessionsIn(folder: string): [string, Buffer][] {
  const path = join(SHARED, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith(".jsonl"))
    .map((file) => [join(file.parentPath, file.name), readFileSync(join(file.parentPath, file.name))]);
}

describe.each(formats.map((format) => [format.name, format] as const))("the format %s", (name, format) => {
  const corpus = CORPORA[name];
  const file = fileOf(corpus.lines);
  const lines = linesOf(file);
  const whole = folded(lines);

  it("finds what is in its corpus", () => {
    const { state, outline } = whole;
    const { usage, title, words, ...counts } = corpus.found;
    expect(state.format).toBe(name);
    expect({
      entries: outline.count,
      messages: state.message_count,
      prompts: state.user_message_count,
      answers: state.assistant_message_count,
      calls: state.tool_call_count,
    }).toEqual(counts);
    const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = state.usage;
    expect([input_tokens, output_tokens, cache_read_tokens, cache_write_tokens]).toEqual(usage);
    expect(whole.record({ path: "/a.jsonl", size: file.length, modifiedAt: 0 })).toMatchObject({
      title,
      malformed_lines: 0,
    });
    const said = [...entriesOf(whole, file)].flatMap(({ entry, place }) => format.parts(entry, place.role));
    const terms = new Set(said.flatMap(({ text }) => termsOf(text)));
    expect(words.filter((word) => !terms.has(word))).toEqual([]);
  });

  it("is told from others by each of its lines", () => {
    for (const line of corpus.lines) {
      expect([JSON.stringify(line), formats.filter((one) => one.recognises(line)).map((one) => one.name)]).toEqual([
        JSON.stringify(line),
        [name],
      ]);
    }
    for (const line of corpus.foreign) expect(format.recognises(line)).toBe(false);
  });

  it("is the same when it is read in pieces", () => {
    for (let cut = 0; cut <= lines.length; cut++) {
      const fold = stored(folded(lines.slice(0, cut)));
      for (const line of lines.slice(cut)) add(fold, line);
      expect(toldBy(fold)).toEqual(toldBy(whole));
    }
    fc.assert(
      fc.property(fc.array(fc.nat(lines.length), { maxLength: 4 }), fc.boolean(), (cuts, isScanned) => {
        let fold = new SessionFold();
        for (const [at, line] of lines.entries()) {
          if (cuts.includes(at)) fold = stored(fold);
          add(fold, line, isScanned);
        }
        expect(toldBy(fold)).toEqual(toldBy(whole));
      }),
    );
  });

  it("is the same when it is not parsed", () => {
    expect(toldBy(folded(lines, true))).toEqual(toldBy(whole));
  });

  it("shows what can be found", () => {
    expectPartsShown(whole, file);
  });

  it("keeps a small state", () => {
    expect(JSON.stringify(whole.state.reader).length).toBeLessThan(4096);
  });

  it("loses nothing but a damaged line", () => {
    const idsOf = (fold: SessionFold) =>
      new Set(Array.from({ length: fold.outline.count }, (_, at) => fold.outline.id(at)));
    const damage = fc.oneof(
      fc.constantFrom("", "{", '{"a":1', "[]", "null", "\u0000\u0000", "{}", '{"type":"new"}'),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.nat(lines.length - 1), damage, fc.boolean(), (at, broken, isScanned) => {
        const written = lines.map(({ bytes }, place) => {
          if (place !== at) return bytes;
          if (typeof broken === "string") return Buffer.from(broken);
          return bytes.subarray(0, Math.floor(broken * bytes.length));
        });
        const others = linesOf(Buffer.from(Buffer.concat(written.flatMap((bytes) => [bytes, Buffer.from("\n")]))));
        const fold = folded(others, isScanned);
        const spoiled = folded(lines.slice(at, at + 1));
        const lost = idsOf(spoiled);
        const kept = idsOf(fold);
        // IDs of entries without one are their places.
        const wanted = [...idsOf(whole)].filter((id) => !id.startsWith("@") && !lost.has(id));
        expect(wanted.filter((id) => !kept.has(id))).toEqual([]);
      }),
    );
  });

  it("reads whatever JSON it gets", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyLine, fc.constantFrom(...corpus.lines), mixedLine(corpus.lines))), (any) => {
        const bytes = fileOf(any as JsonObject[]);
        const every = linesOf(bytes);
        const fold = new SessionFold();
        // So that it is read as this format.
        for (const line of [lines[0], ...every]) if (line !== undefined) add(fold, line);
        for (const line of any as JsonObject[]) {
          const place = { id: "a", parentId: null, role: format.facts(line).role };
          format.facts(line).excerpt();
          format.parts(line, place.role);
          format.item(line, place);
          format.contextEdit(line);
          expect(format.preview(line, 40).length).toBeLessThanOrEqual(40);
          expectScannedAsParsed(format, Buffer.from(JSON.stringify(line)), place.role);
        }
        const scannedFold = folded(every, true);
        expect(toldBy(scannedFold)).toEqual(toldBy(folded(every)));
      }),
    );
  });

  const fixtures = corpus.fixtures.flatMap(sessionsIn);

  it.skipIf(fixtures.length === 0)("keeps all this for the sessions in ../shared", () => {
    for (const [path, session] of fixtures) {
      const all = linesOf(session);
      const read = folded(all);
      if (read.state.format !== name) continue;
      expect([path, toldBy(folded(all, true))]).toEqual([path, toldBy(read)]);
      for (const part of [0.1, 0.5, 0.9]) {
        const cut = Math.floor(all.length * part);
        const fold = stored(folded(all.slice(0, cut), true));
        for (const line of all.slice(cut)) add(fold, line, true);
        expect([path, toldBy(fold)]).toEqual([path, toldBy(read)]);
      }
      expectPartsShown(read, session);
    }
  });
});

/** A line with fields of others. */
function mixedLine(lines: readonly JsonObject[]): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(fc.constantFrom(...lines), fc.constantFrom(...lines), fc.boolean())
    .map(([one, other, isInner]) =>
      isInner ? { ...one, message: { ...object(one), ...object(other) } } : { ...one, ...other },
    );
}

function object({ message }: JsonObject): object {
  return typeof message === "object" && message !== null ? message : {};
}
