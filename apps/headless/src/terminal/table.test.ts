import { describe, expect, it } from "vitest";
import { type Column, table } from "./table.ts";
import { displayWidth } from "./width.ts";

interface Row {
  id: string;
  count: number;
  title: string;
}

const COLUMNS: Column<Row>[] = [
  { head: "ID", cell: ({ id }) => id },
  { head: "COUNT", cell: ({ count }) => String(count), align: "right", optional: true },
  { head: "TITLE", cell: ({ title }) => title, flexible: true },
];

const ROWS: Row[] = [
  { id: "a1", count: 7, title: "Short" },
  { id: "b2", count: 1234567, title: "A title that takes forty-one columns, it does" },
  { id: "c3", count: 12, title: "レシピ検索で「だし」と入力しても出てこない 👍" },
];

function draw(rows: Row[], width: number): string[] {
  return table(COLUMNS, rows, { width, paintHead: (text) => text })
    .trimEnd()
    .split("\n");
}

describe("table", () => {
  it("aligns wide characters", () => {
    expect(draw([{ id: "レ", count: 1, title: "x" }, ...ROWS.slice(0, 1)], 80)).toEqual([
      "ID  COUNT  TITLE",
      "レ      1  x",
      "a1      7  Short",
    ]);
  });

  it("cuts what is flexible", () => {
    expect(draw(ROWS, 40)).toEqual([
      "ID    COUNT  TITLE",
      "a1        7  Short",
      "b2  1234567  A title that takes forty-o…",
      "c3       12  レシピ検索で「だし」と入力…",
    ]);
  });

  it("leaves out what is optional", () => {
    expect(draw(ROWS, 20)).toEqual(["ID  TITLE", "a1  Short", "b2  A title that ta…", "c3  レシピ検索で「…"]);
  });

  it.each([16, 20, 30, 40, 79, 200])("is at most %i columns wide", (width) => {
    for (const line of draw(ROWS, width)) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it("makes one safe line of a hostile cell", () => {
    expect(draw([{ id: "\x1b[2J", count: 1, title: "one\ntwo\r\u202e" }], 80)).toEqual([
      "ID    COUNT  TITLE",
      "␛[2J      1  one␊two␍\ufffd",
    ]);
  });

  it("paints what is cut and padded already", () => {
    const columns: Column<Row>[] = [{ head: "TITLE", cell: ({ title }) => title, paint: (text) => `<${text}>` }];
    const rows = [{ id: "", count: 0, title: "long enough" }, ...ROWS.slice(0, 1)];
    expect(table(columns, rows, { width: 80, paintHead: (text) => `*${text}*` })).toBe(
      "*TITLE      *\n<long enough>\n<Short      >\n",
    );
  });
});
