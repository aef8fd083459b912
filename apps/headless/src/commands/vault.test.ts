import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { runFake } from "../fake-shell.fixture.ts";

const TERMINAL = { columns: 100, env: { NO_COLOR: "1" } };
const A = "/sessions/a.jsonl";
const STATUS = {
  enabled: true,
  exclude_formats: [],
  exclude_projects: [],
  sessions: 12,
  only_here: 3,
  pending: 0,
  bytes: 1_500_000,
  original_bytes: 20_000_000,
  oldest_at: "2026-01-02T03:04:05.000Z",
  problems: ["The disk is full.\u001b[2J"],
};

describe("vault", () => {
  it("status shows what is kept, what it takes, and problems", async () => {
    const run = await runFake(["vault", "status"], { answers: { get_vault_status: STATUS } });
    expect(run.stdout).toMatch(/^Keeps sessions +yes$/m);
    expect(run.stdout).toMatch(/^Only in the vault +3$/m);
    expect(run.stdout).toMatch(/^Size +1\.5 MB, 7\.5 % of what it keeps$/m);
    expect(run.stdout).toContain("The disk is full.");
    expect(run.stdout).not.toContain("\u001b");
    expect(run.stdout).not.toContain("Waiting to be stored");
    const json = await runFake(["vault", "status", "--json"], { answers: { get_vault_status: STATUS } });
    expect(JSON.parse(json.stdout)).toEqual(STATUS);
    const empty = { ...STATUS, enabled: false, bytes: 0, original_bytes: 0, oldest_at: null, pending: 2, problems: [] };
    const off = await runFake(["vault", "status"], { answers: { get_vault_status: empty } });
    expect(off.stdout).toMatch(/^Keeps sessions +no, it is turned off$/m);
    expect(off.stdout).toMatch(/^Waiting to be stored +2$/m);
    expect(off.stdout).toMatch(/^Size +0 B$/m);
  });

  it("verify fails with what is lost, and tells what was repaired", async () => {
    const damaged = [
      { path: A, is_repaired: true },
      { path: "/b.jsonl", is_repaired: false },
    ];
    const run = await runFake(["vault", "verify"], { answers: { verify_vault: { checked: 9, damaged } } });
    expect(run.stdout).toBe(`Verified 9 parts, 2 damaged.\nRepaired from the session file: ${A}\n`);
    expect(run.error).toMatchObject({ exitCode: 1, message: "Damaged: /b.jsonl" });
    const sound = await runFake(["vault", "verify"], { answers: { verify_vault: { checked: 1, damaged: [] } } });
    expect(sound).toMatchObject({ error: null, stdout: "Verified 1 part, 0 damaged.\n" });
  });

  it("verify tells on a terminal how far it is, and clears that away", async () => {
    const answers = { verify_vault: { checked: 2_000, damaged: [] } };
    const told = (checked: number) => ({
      event: "vault-verification" as const,
      seq: checked,
      payload: { checked, total: 2_000, done: false, damaged: null },
    });
    const events = [told(0), told(500), told(2_500)];
    const run = await runFake(["vault", "verify"], { ...TERMINAL, answers, events });
    const lines = run.stderr.split("\r\u001b[2K");
    const at = (percent: number) => `Reading the vault: ${percent} % of 2,000 parts`;
    expect(lines).toEqual(["Reading the vault.", at(0), at(25), at(100), ""]);
    const piped = await runFake(["vault", "verify"], { answers, events });
    expect(piped.stderr).toBe("Reading the vault.\n");
    const quiet = await runFake(["vault", "verify", "--quiet"], { ...TERMINAL, answers, events });
    expect(quiet.stderr).toBe("");
  });

  it("forget asks first", async () => {
    const answers = { forget_session: { path: A, forgotten: true } };
    const sure = await runFake(["vault", "forget", A, "--yes"], { answers });
    expect(sure).toMatchObject({ sent: [["forget_session", { path: A }]], stdout: `Removed from the vault: ${A}.\n` });
    const refused = await runFake(["vault", "forget", A], { ...TERMINAL, typed: "n\n", answers });
    expect(refused).toMatchObject({ sent: [], error: { message: "Nothing was removed." } });
    const unasked = await runFake(["vault", "forget", A], { answers });
    expect(unasked).toMatchObject({ sent: [], error: { exitCode: 2 } });
  });

  it.each([
    ["export", "Copied to", [], null],
    ["import", "Read from", ["/s/bad.jsonl"], { exitCode: 1, message: "Damaged, and left out: /s/bad.jsonl" }],
  ])("%s works on the data directory itself", async (direction, words, damaged, failure) => {
    const run = await runFake(["vault", direction, "copy"]);
    expect(run.connected).toMatchObject([{ only: "library" }]);
    expect(run.sent).toEqual([[direction, resolve("copy")]]);
    expect(run.stdout).toBe(`${words} ${resolve("copy")}: 3 sessions, 4.5 kB written.\n`);
    if (failure === null) expect(run.error).toBeNull();
    else expect(run.error).toMatchObject(failure);
    const json = await runFake(["vault", direction, "copy", "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({ directory: resolve("copy"), sessions: 3, written_bytes: 4_500, damaged });
  });
});

describe("restore", () => {
  const answers = { restore_session: { path: "/sessions/b.jsonl" } };

  it.each([
    [["restore", A], { path: A }],
    [
      ["restore", A, "--to", "/sessions/b.jsonl", "--generation", "7"],
      { path: A, to: "/sessions/b.jsonl", generation: 7 },
    ],
  ])("writes the file again: %j", async (argv, payload) => {
    const run = await runFake(argv, { answers });
    expect(run).toMatchObject({ error: null, sent: [["restore_session", payload]] });
    expect(run.stdout).toBe("Restored: /sessions/b.jsonl.\n");
  });

  it("lists the generations it can take", async () => {
    const times = { started_at: "2026-01-02T03:04:05.000Z", kept_at: "2026-01-03T03:04:05.000Z" };
    const generations = [
      { generation: 9, size_bytes: 2_000, ...times, replaced_at: null },
      { generation: 4, size_bytes: 1_000, ...times, replaced_at: times.kept_at },
    ];
    const shown = { answers: { list_generations: generations } };
    expect((await runFake(["generations", A], shown)).stdout).toMatch(/NUMBER.*\n +9 +2\.0 kB .*\n +4 +1\.0 kB /);
    expect((await runFake(["generations", A, "-q"], shown)).stdout).toBe("9\n4\n");
  });
});

describe("undelete", () => {
  const deleted = (path: string, id: string | null, title: string) => ({
    path,
    id,
    format: "pi",
    title,
    size_bytes: 1_234,
    deleted_at: "2026-02-01T00:00:00.000Z",
    source: "vault" as const,
    expires_at: "2026-03-03T00:00:00.000Z",
  });
  const answers = {
    list_deleted_sessions: [deleted("/s/new.jsonl", "4f2a", "Tides"), deleted("/s/old.jsonl", "4f2b", "Tides")],
    undelete_session: { path: "/s/new.jsonl" },
  };

  it.each([
    ["last", "/s/new.jsonl"],
    ["4f2b", "/s/old.jsonl"],
    ["/s/old.jsonl", "/s/old.jsonl"],
  ])("finds %s among the deleted ones", async (named, path) => {
    const run = await runFake(["undelete", named], { answers });
    expect(run.sent.at(-1)).toEqual(["undelete_session", { path }]);
    expect(run).toMatchObject({ error: null, stdout: "Restored: /s/new.jsonl\n" });
  });

  it.each([["Tides"], ["4f"], ["unknown"], [""]])("brings back nothing for %j", async (named) => {
    const run = await runFake(["undelete", named], { answers });
    expect(run).toMatchObject({ error: { exitCode: 3 }, sent: [["list_deleted_sessions", {}]] });
  });

  it("shows them", async () => {
    const run = await runFake(["deleted"], { ...TERMINAL, answers });
    expect(run.stdout).toMatch(/DELETED.*TITLE.*\n.*1\.2 kB +Tides +\/s\/new\.jsonl\n/);
    expect((await runFake(["deleted", "-q"], { answers })).stdout).toBe("/s/new.jsonl\n/s/old.jsonl\n");
    const none = { answers: { list_deleted_sessions: [] } };
    expect((await runFake(["deleted"], none)).stdout).toBe("0 deleted sessions\n");
  });
});
