import { createSegmentBuilder, type SegmentBuilder } from "@sm/text-index";
import fc from "fast-check";
import { expect, it } from "vitest";
import { piFormat } from "../../format/pi/pi.ts";
import { parseLine } from "../../session/jsonl.ts";
import { anyLongLine, sourceOf } from "../session-file/long-line.fixture.ts";
import { LongLine } from "../session-file/long-line.ts";
import { addLongLine } from "./long-entry.ts";
import { partCode } from "./part-codes.ts";

const ORIGIN = { path: "/a.jsonl", key: 1, ordinal: 2, timestamp: Number.NaN, role: null };

/** All that a segment would have. */
function written(builder: SegmentBuilder) {
  const bytes: string[] = [];
  const terms: [string, number][] = [];
  const take = (part: Uint8Array) => void bytes.push(Buffer.from(part).toString("base64"));
  const documents = structuredClone(builder.documents());
  builder.emitTerms({
    appendPostings: take,
    appendPositions: take,
    endTerm: (term, { documentCount }) => void terms.push([term, documentCount]),
  });
  return { documents, terms, bytes };
}

it("adds what a line has that is parsed as a whole", () => {
  const inPieces = createSegmentBuilder();
  const whole = createSegmentBuilder();
  let tried = 0;
  let added = 0;
  fc.assert(
    fc.property(anyLongLine, (bytes) => {
      tried++;
      inPieces.clear();
      whole.clear();
      const long = LongLine.open(sourceOf(bytes), 0, bytes.length);
      if (long === null || !addLongLine(inPieces, piFormat, long, ORIGIN)) return;
      added++;
      const line = parseLine(bytes.toString());
      for (const [part, { kind, role, text, toolName, model, files }] of (
        line && piFormat.parts(line, ORIGIN.role)
      )?.entries() ?? []) {
        whole.begin({ key: 1, ordinal: 2, part, code: partCode(kind, role), timestamp: null });
        whole.addText(text);
        if (toolName !== null) whole.addField("tool", toolName);
        if (model !== null) whole.addField("model", model);
        for (const file of files) whole.addField("file", file);
      }
      expect(written(inPieces)).toEqual(written(whole));
    }),
    { numRuns: 200 },
  );
  expect(added).toBeGreaterThan(tried / 5);
});
