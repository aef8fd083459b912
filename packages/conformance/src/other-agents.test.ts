import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formats, type LiveSession, type SessionRecord } from "@sm/core";
import { registry } from "@sm/router";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases } from "./cases.ts";
import { type OtherHomes, snapshotOf, writeOtherHomes } from "./other-homes.ts";
import { FAKE_AGENT } from "./program-cases.ts";
import { type RealService, SHARING, SUGGESTS_PROXY, startRealService } from "./real-service.ts";

let folder: string;
let homes: OtherHomes;
let service: RealService;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "session-manager-others-")));
  homes = await writeOtherHomes(folder);
  service = await startRealService({
    config: { agents: homes.agents, agent_command: FAKE_AGENT, ...SHARING },
    expectedProblems: [SUGGESTS_PROXY],
  });
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Formats that the service only reads. */
const ONLY_READ = formats.filter(({ writer }) => writer === null).map(({ name }): string => name);
const isRead = ({ format }: { format: string }) => ONLY_READ.includes(format);

/** Deleting is meant to take the file away, with all that belongs to it. */
const DELETING = new Set(["delete_session", "delete_sessions"]);

const snapshot = async () => (await Promise.all(homes.folders.map(snapshotOf))).flat();

const codeOf = async (command: string, payload: object) => (await service.call(command, payload)).error?.code ?? "";

/** The payload of a command's case, with all paths of sessions replaced. */
async function payloadFor(command: string, path: string): Promise<Record<string, unknown>> {
  const { required, instead = [] } = (await cases[command]?.(service)) ?? { required: {} };
  const payload: Record<string, unknown> = { ...required };
  for (const field of ["path", "session_path"]) if (field in payload || instead.includes(field)) payload[field] = path;
  for (const field of ["paths", "session_paths"]) if (field in payload) payload[field] = [path];
  // Either where or what an agent works on.
  if (command === "start_coding_session") return { session_path: path };
  if (command === "export_model_config_to_path") return { ...payload, overwrite: true };
  // The homes must stay.
  if (command === "save_agent_homes") return { agents: homes.agents };
  return payload;
}

describe("the homes of other agents", () => {
  it("are found, by all formats that are read", async () => {
    const records = await service.ask<SessionRecord[]>("scan_sessions");
    const found = new Map(records.map(({ path, format }) => [path, format as string]));
    const expected = homes.onlyRead.filter(isRead);
    expect(expected.map(({ path }) => [path, found.get(path)])).toEqual(
      expected.map(({ path, format }) => [path, format]),
    );
    expect(found.get(homes.omp)).toBe("pi");
    const agents = await service.ask<{ agent: string; sessions: number }[]>("get_agent_homes");
    const counts = Object.fromEntries(agents.map(({ agent, sessions }) => [agent, sessions]));
    const count = (name: string) => expected.filter(({ format }) => format === name).length;
    expect(counts).toMatchObject({ omp: 1, "claude-code": count("claude-code"), codex: count("codex") });
  });

  it("keep every byte, name and time, whatever commands are called with their paths", async () => {
    const before = await snapshot();
    const changed: string[] = [];
    let last = before;
    for (const [command] of [...registry].filter(([name]) => !DELETING.has(name))) {
      for (const { what, path } of homes.onlyRead) {
        await service.call(command, await payloadFor(command, path));
        const now = await snapshot();
        if (now.join("\n") !== last.join("\n")) changed.push(`${command} of ${what}`);
        last = now;
      }
    }
    expect(changed).toEqual([]);
    expect(await snapshot()).toEqual(before);
    // What was called was no accident: the commands of the registry that write are among them.
    expect([...registry].filter(([, { access }]) => access === "write").length).toBeGreaterThan(10);
  });

  it("keep them too where an agent in a terminal says that it works on one of their sessions", async () => {
    const before = await snapshot();
    for (const [place, { path }] of homes.onlyRead.entries()) {
      const session_id = `liar-${place}`;
      const registration = (await cases.register_coding_session?.(service))?.required;
      const live = await service.ask<LiveSession>("register_coding_session", {
        ...registration,
        session_id,
        session_path: path,
      });
      expect(live.session_path).toBeNull();
      await service.call("rename_session", { path, name: "Renamed" });
      const { session_path } = await service.ask<LiveSession>("report_coding_session", {
        session_id,
        events: [],
        changes: { session_path: path, state: "exited" },
        done: [],
      });
      expect(session_path).toBeNull();
    }
    expect(await snapshot()).toEqual(before);
  });

  it("take no label of a bookmark, on entries that exist", async () => {
    const before = await snapshot();
    for (const { path, format } of homes.onlyRead.filter(isRead)) {
      const { entries } = await service.ask<{ entries: { id: string }[] }>("read_transcript", { path, limit: 1 });
      const entry_id = entries[0]?.id;
      expect([format, entry_id]).toEqual([format, expect.any(String)]);
      for (const label of ["Good", ""]) {
        const code = await codeOf("set_bookmark", { path, entry_id, bookmarked: true, label });
        expect([format, code]).toEqual([format, "CONFLICT"]);
      }
      expect(await service.ask("list_bookmarks", { path })).toEqual([]);
      await service.ask("set_bookmark", { path, entry_id, bookmarked: true });
      await service.ask("set_bookmark", { path, entry_id, bookmarked: false });
    }
    expect(await snapshot()).toEqual(before);
  });

  it("have sessions that are named apart from their files", async () => {
    const before = await snapshot();
    for (const { path } of homes.onlyRead.filter(isRead)) {
      const named = await service.ask<SessionRecord>("rename_session", { path, name: "Named" });
      expect(named).toMatchObject({ path, name: "Named", title: "Named", capabilities: { rename: true } });
      expect(await service.ask("rename_session", { path, name: "" })).not.toMatchObject({ title: "Named" });
    }
    expect(await snapshot()).toEqual(before);
  });

  it("are no place to import or export a configuration", async () => {
    const before = await snapshot();
    await service.ask("save_model_config", { providers: {} });
    for (const home of homes.folders) {
      for (const name of ["settings.json", "auth.json", "new.json", join("sessions", "4711.json")]) {
        const path = join(home, name);
        expect(await codeOf("export_model_config_to_path", { path, overwrite: true })).toBe("FORBIDDEN");
        expect(await codeOf("import_model_config_from_path", { path })).toBe("FORBIDDEN");
      }
    }
    expect(await snapshot()).toEqual(before);
  });

  it("have sessions that are neither started nor forked, with the command that continues them", async () => {
    const records = await service.ask<SessionRecord[]>("scan_sessions");
    const recognised = records.filter(({ format }) => ONLY_READ.includes(format));
    for (const { path, capabilities } of recognised) {
      expect(capabilities).toMatchObject({ start: false, fork: false });
      for (const [command, payload] of [
        ["start_coding_session", { session_path: path }],
        ["fork_session", { path }],
      ] as const) {
        const { error } = await service.call(command, payload);
        expect(error).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("only read") });
        expect(error?.message).toContain(capabilities.resume_command ?? "exported");
      }
    }
    // Files of formats that are not known are no sessions at all.
    for (const { path, format } of homes.onlyRead.filter((session) => !isRead(session))) {
      const codes = [
        await codeOf("start_coding_session", { session_path: path }),
        await codeOf("fork_session", { path }),
      ];
      expect([format, ...codes]).toEqual([
        format,
        ...codes.map(() => expect.stringMatching(/^(NOT_FOUND|FORBIDDEN)$/)),
      ]);
    }
  });

  it("of Oh My Pi are written to, since its format is pi's", async () => {
    const before = await readFile(homes.omp, "utf8");
    await service.ask("rename_session", { path: homes.omp, name: "Named" });
    expect(await readFile(homes.omp, "utf8")).toMatch(/"name":"Named"/);
    expect((await readFile(homes.omp, "utf8")).startsWith(before)).toBe(true);
  });
});
