import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExportedMessage, ExportedSession } from "@sm/core";
import { registry } from "@sm/router";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases } from "./cases.ts";
import type { CommandCase } from "./command-case.ts";
import { type RealService, SHARING, SUGGESTS_PROXY, startRealService } from "./real-service.ts";
import type { SampleHome } from "./sample-home.ts";

let service: RealService;

beforeAll(async () => {
  service = await startRealService({ config: SHARING, expectedProblems: [SUGGESTS_PROXY] });
});

afterAll(() => service[Symbol.asyncDispose]());

const exported = (payload: object) => service.ask<ExportedSession>("export_session", payload);

function download(payload: object): Promise<Response> {
  const query = Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, `${value}`]));
  return fetch(`${service.url}/api/export?${new URLSearchParams(query)}`);
}

describe("GET /api/export", () => {
  it.each(["branched", "plain", "raw", "old"] as const)("gives the bytes of the file as jsonl: %s", async (name) => {
    const path = service.home.paths[name];
    const response = await download({ path, format: "jsonl" });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/x-ndjson");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(await readFile(path));
  });

  it.each([
    ["branched", {}],
    ["branched", { leaf_id: "b5" }],
    ["branched", { include_thinking: false }],
    ["branched", { include_tools: false }],
    ["branched", { redact: true, theme: "dark" }],
    ["plain", {}],
    ["raw", {}],
    ["old", {}],
  ] as const)("gives what export_session gives: %s %j", async (name, choice) => {
    for (const format of ["html", "markdown", "json"]) {
      const payload = { path: service.home.paths[name], format, ...choice };
      const { content, file_name, media_type } = await exported(payload);
      const response = await download(payload);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(content));
      expect(response.headers.get("Content-Type")).toBe(media_type);
      const disposition = decodeURIComponent(response.headers.get("Content-Disposition") ?? "");
      expect(disposition).toContain(`filename*=UTF-8''${file_name}`);
    }
  });

  it("gives no file that is said to be redacted and is not", async () => {
    const response = await download({ path: service.home.paths.branched, format: "jsonl", redact: true });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "INVALID_PAYLOAD", details: [{ path: "redact" }] } });
  });
});

describe("export_session", () => {
  it("writes the newest branch as Markdown", async () => {
    const { content, ...rest } = await exported({ path: service.home.paths.branched, format: "markdown" });
    expect(rest).toEqual({
      format: "markdown",
      file_name: "Names-with-umlauts.md",
      media_type: "text/markdown; charset=utf-8",
      redactions: null,
    });
    expect(content.split("\n").filter((line) => /^#{1,3} |^\*\*File:/.test(line))).toEqual([
      "# Session: Names with umlauts",
      "## User",
      "## Assistant",
      "### Tool Call: read",
      "**File:** src/names.ts",
      "## Branch Summary",
      "## User",
      "## Assistant",
      "### Tool Call: edit",
      "**File:** src/names.ts",
      "## User",
      "### Bash",
      "## Assistant",
    ]);
  });

  it("writes the whole tree as JSON", async () => {
    const { content, ...rest } = await exported({ path: service.home.paths.branched, format: "json" });
    expect(rest).toEqual({
      format: "json",
      file_name: "Names-with-umlauts.json",
      media_type: "application/json; charset=utf-8",
      redactions: null,
    });
    const { messages, ...session } = JSON.parse(content) as { messages: ExportedMessage[] };
    expect(session).toStrictEqual({
      session_id: "branched",
      name: "Names with umlauts",
      cwd: "/home/user/project",
      created_at: "2026-03-01T10:00:00.000Z",
      models: ["model-1"],
      usage: {
        input_tokens: 400,
        output_tokens: 40,
        cache_read_tokens: 80,
        cache_write_tokens: 0,
        cache_write_1h_tokens: 0,
        reasoning_tokens: 0,
        total_tokens: 520,
        cost_usd: 1,
        estimated_cost_usd: null,
      },
    });
    expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: 17 }, (_, place) => `b${place + 1}`));
    expect(messages.every(({ role, content }) => typeof role === "string" && typeof content === "string")).toBe(true);
    expect(messages[6]).toMatchObject({
      role: "user",
      content: "Use the normal form instead, see the picture.",
      parts: [{ kind: "text" }, { kind: "image", mime_type: "image/png", data: "iVBORw0KGgo=" }],
    });
  });
});

describe("the path of a session", () => {
  const others = ["import_model_config_from_path", "export_model_config_to_path", "read_resource"];
  const commands = [...registry]
    .filter(([name, { input }]) => "path" in ((input as { entries?: object }).entries ?? {}) && !others.includes(name))
    .map(([name]) => name);

  /** None of them is carried out: one case of each is enough, and some start an agent. */
  const made = new Map<string, CommandCase>();
  beforeAll(async () => {
    for (const command of commands)
      made.set(command, (await cases[command]?.(service)) ?? { required: {}, optional: {} });
  }, 60_000);

  it.each<[what: string, code: string, pathIn: (home: SampleHome) => string]>([
    ["outside of the session directories", "FORBIDDEN", ({ outside }) => outside],
    ["outside by way of ..", "FORBIDDEN", ({ sessions }) => `${sessions}/../../outside.jsonl`],
    ["outside by way of a link", "FORBIDDEN", ({ link }) => link],
    ["outside and missing", "FORBIDDEN", ({ folder }) => join(folder, "missing.jsonl")],
    ["relative", "FORBIDDEN", () => "raw.jsonl"],
    ["of a directory", "FORBIDDEN", ({ sessions }) => join(sessions, "folder.jsonl")],
    ["of a file of another kind", "FORBIDDEN", ({ sessions }) => join(sessions, "notes.txt")],
    ["inside and missing", "NOT_FOUND", ({ missing }) => missing],
    ["in a missing folder inside", "NOT_FOUND", ({ sessions }) => join(sessions, "none", "missing.jsonl")],
  ])("%s is %s", async (_, code, pathIn) => {
    const { home } = service;
    await mkdir(join(home.sessions, "folder.jsonl"), { recursive: true });
    await writeFile(join(home.sessions, "notes.txt"), "Notes.");
    const path = pathIn(home);
    for (const command of commands) {
      const { required, fails = code } = made.get(command) ?? { required: {} };
      const { success, error } = await service.call(command, { ...required, path });
      expect([command, success, error?.code]).toEqual([command, false, fails]);
    }
    const response = await download({ path, format: "jsonl" });
    expect(await response.json()).toMatchObject({ success: false, error: { code } });
  });

  it("keeps what is outside as it is", async () => {
    const outside = await readFile(service.home.outside, "utf8");
    await service.call("delete_session", { path: service.home.link });
    await service.call("rename_session", { path: service.home.link, name: "Renamed" });
    expect(await readFile(service.home.outside, "utf8")).toBe(outside);
    expect(await readFile(service.home.link, "utf8")).toBe(outside);
  });
});
