import { describe, expect, it } from "vitest";
import { MIGRATIONS } from "./all.ts";

/** What a server of the version before would notice: what it reads or writes is not there, or not permitted, any more. */
const BREAKING: readonly [what: string, pattern: RegExp][] = [
  ["drops", /\bDROP\s+(TABLE|COLUMN|FUNCTION)\b/i],
  ["renames", /\bRENAME\b/i],
  ["changes a type", /\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b/i],
  ["forbids NULL", /\bSET\s+NOT\s+NULL\b/i],
  [
    "wants a value",
    /\bADD\s+COLUMN\s+(?:(?!DEFAULT|;|,\s*ADD)[\s\S])*NOT\s+NULL(?:(?!DEFAULT|;|,\s*ADD)[\s\S])*(;|,\s*ADD)/i,
  ],
];

function breaking(sql: string): string[] {
  const statements = sql.replaceAll(/--.*$/gm, "");
  return BREAKING.filter(([, pattern]) => pattern.test(statements)).map(([what]) => what);
}

describe("a step of the schema", () => {
  it("is numbered without gaps, and needs no program newer than itself", () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, place) => place + 1));
    expect(MIGRATIONS.filter(({ version, worksWith }) => worksWith > version)).toEqual([]);
  });

  it.each(MIGRATIONS.map(({ version, worksWith, sql }) => ({ version, worksWith, sql })))(
    "$version says so if servers of the version before do not work with it",
    ({ version, worksWith, sql }) => {
      expect(worksWith === version ? [] : breaking(sql)).toEqual([]);
    },
  );

  it.each([
    ["ALTER TABLE a DROP COLUMN b;", ["drops"]],
    ["ALTER TABLE a RENAME b TO c;", ["renames"]],
    ["ALTER TABLE a ALTER COLUMN b TYPE bigint;", ["changes a type"]],
    ["ALTER TABLE a ALTER COLUMN b SET NOT NULL;", ["forbids NULL"]],
    ["ALTER TABLE a ADD COLUMN b integer NOT NULL;", ["wants a value"]],
    ["ALTER TABLE a ADD COLUMN b integer NOT NULL DEFAULT 0;", []],
    ["ALTER TABLE a ADD COLUMN b integer DEFAULT 0 NOT NULL;", []],
    ["ALTER TABLE a ADD COLUMN b uuid; CREATE TABLE c (d integer NOT NULL); -- DROP TABLE a", []],
  ])("%s is told as %s", (sql, told) => {
    expect(breaking(sql)).toEqual(told);
  });
});
