import { describe, expect, it } from "vitest";
import { type Detector, eachMatch } from "./finding.ts";
import { findNear } from "./nearby.ts";
import { Redactor } from "./redactor.ts";

const findCapitals: Detector = (text, report) =>
  eachMatch(/[A-Z]+/g, text, ({ index, 0: word }) => report(index, index + word.length, "capitals"));

const prose = (length: number) => "words of a sentence ".repeat(length / 20);

/** The lengths of the texts that a detector is given. */
function lengthsRead(read: (detect: Detector) => void): number[] {
  const lengths: number[] = [];
  read((text, report) => {
    lengths.push(text.length);
    findCapitals(text, report);
  });
  return lengths;
}

describe("what is near some places of a text", () => {
  const found = (text: string, ...places: number[]) => {
    const words: string[] = [];
    findNear(
      text,
      places.map((place) => ({ start: place, end: place })),
      findCapitals,
      (start, end) => words.push(text.slice(start, end)),
    );
    return words;
  };

  it("is found at its place in the text", () => {
    const text = `${prose(10_000)}HERE ${prose(10_000)}THERE ${prose(10_000)}`;
    expect(found(text, 10_004)).toEqual(["HERE"]);
    expect(found(text, 10_004, 20_008)).toEqual(["HERE", "THERE"]);
    expect(found(text, 5_000)).toEqual([]);
  });

  it("is seen to the end of a long word", () => {
    const word = "A".repeat(20_000);
    expect(found(`${prose(1_000)} ${word} ${prose(1_000)}`, 11_000)).toEqual([word]);
  });

  it("is found once where places are close to each other", () => {
    expect(found(`${prose(3_000)}ONE ${prose(2_000)}TWO ${prose(3_000)}`, 3_000, 4_000, 5_000)).toEqual(["ONE", "TWO"]);
  });
});

describe("a long text is read once", () => {
  const long = prose(1_000_000);
  it.each([
    ["without anything in it", long],
    ["with a word that a line end wraps", `${long}one\\\n  TWO ${long}`],
    ["with a placeholder beside a letter", `${long}aSECRETb ${long}`],
    ["with both", `${long}aSECRETb ${long}one\\\n  TWO ${long}`],
  ])("%s", (_, text) => {
    const [first, ...others] = lengthsRead((detect) => new Redactor([], detect).text(text, null));
    expect(first).toBe(text.length);
    expect(others.reduce((sum, length) => sum + length, 0)).toBeLessThan(50_000);
  });
});
