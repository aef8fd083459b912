import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sessionRecord } from "./record.fixture.ts";
import { type GroupNames, layOutRows, type Row, unfoldRows } from "./rows.ts";

const NAMES: GroupNames = { day: (time) => time.slice(0, 10), project: (cwd) => cwd ?? "none" };

const write = (rows: readonly Row[]) =>
  rows.map((row) =>
    row.kind === "group" ? `# ${row.title} ${row.count}` : `${"-".repeat(row.depth)}${row.record.title}`,
  );

const fork = (name: string, parent: string | null) =>
  sessionRecord(name, { parent_session_path: parent === null ? null : `/sessions/${parent}.jsonl` });

describe("subagents", () => {
  const rows = layOutRows([fork("a", null), fork("b", null)], "none", NAMES);
  const below: Record<string, string[]> = { a: ["a1", "a2"], a1: ["a11", "b"], a11: ["a1", "a"] };
  const subagentsOf = (path: string) =>
    (below[path.replace(/^.*\/|\..*$/g, "")] ?? []).map((name) => sessionRecord(name));
  const unfold = (...names: string[]) =>
    write(unfoldRows(rows, new Set(names.map((name) => `/sessions/${name}.jsonl`)), subagentsOf));

  it("stand below the session that has started them, where it is unfolded", () => {
    expect(unfold()).toEqual(["a", "b"]);
    expect(unfold("a")).toEqual(["a", "-a1", "-a2", "b"]);
    expect(unfold("a1")).toEqual(["a", "b"]);
  });

  it("stand once, whatever names them", () => {
    expect(unfold("a", "a1", "a11")).toEqual(["a", "-a1", "--a11", "-a2", "b"]);
  });
});

describe("rows", () => {
  const sessions = [
    sessionRecord("a", { modified_at: "2026-03-02T01:00:00.000Z", cwd: "/x" }),
    sessionRecord("b", { modified_at: "2026-03-01T23:00:00.000Z", cwd: null }),
    sessionRecord("c", { modified_at: "2026-03-01T20:00:00.000Z", cwd: "/x" }),
  ];

  it("stay as they are without groups", () => {
    expect(write(layOutRows(sessions, "none", NAMES))).toEqual(["a", "b", "c"]);
  });

  it("are grouped in the order of their first sessions", () => {
    expect(write(layOutRows(sessions, "day", NAMES))).toEqual(["# 2026-03-02 1", "a", "# 2026-03-01 2", "b", "c"]);
    // Where they are sorted by when they were created, that day counts.
    expect(write(layOutRows(sessions, "day", NAMES, "created"))).toEqual(["# 2026-03-01 3", "a", "b", "c"]);
    expect(write(layOutRows(sessions, "project", NAMES))).toEqual(["# /x 2", "a", "c", "# none 1", "b"]);
  });
});

describe("forks", () => {
  it("are below what they were forked from", () => {
    const sessions = [fork("d", "b"), fork("a", null), fork("c", "a"), fork("b", "a"), fork("e", "elsewhere")];
    expect(write(layOutRows(sessions, "forks", NAMES))).toEqual(["a", "-c", "-b", "--d", "e"]);
  });

  it("that name each other are shown once", () => {
    expect(write(layOutRows([fork("a", "b"), fork("b", "a"), fork("c", "c")], "forks", NAMES))).toEqual([
      "c",
      "a",
      "-b",
    ]);
  });

  it("are all shown, whatever they name", () => {
    const names = fc.constantFrom(..."abcdef");
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(names, names), { selector: ([name]) => name }), (pairs) => {
        const rows = layOutRows(
          pairs.map(([name, parent]) => fork(name, parent)),
          "forks",
          NAMES,
        );
        expect(rows.map(({ key }) => key).sort()).toEqual(pairs.map(([name]) => `/sessions/${name}.jsonl`).sort());
      }),
    );
  });

  it("may be as deep as they like", () => {
    const chain = Array.from({ length: 20_000 }, (_, index) => fork(`${index}`, index === 0 ? null : `${index - 1}`));
    expect(layOutRows(chain, "forks", NAMES).at(-1)).toMatchObject({ depth: 19_999 });
  });
});
