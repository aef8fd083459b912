import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionPage } from "@sm/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { snippetsOf } from "../install/snippets.ts";
import { PATIENT } from "../patient.ts";
import { SampleHome } from "../sample-home.ts";
import { startNotesServer } from "./notes-server.ts";

const GUIDE = join(import.meta.dirname, "../../../../docs/composing-a-server.md");

const folder = mkdtempSync(join(tmpdir(), "session-manager-composing-"));
let server: Awaited<ReturnType<typeof startNotesServer>>;

beforeAll(async () => {
  const agentHome = join(folder, ".pi");
  mkdirSync(agentHome);
  await SampleHome.write(agentHome);
  server = await startNotesServer(agentHome, join(folder, "data"), 0);
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

async function post(command: string, payload: object = {}) {
  const response = await fetch(`${server.url}/api`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ command, payload }),
  });
  return { status: response.status, ...((await response.json()) as { data: unknown; error: unknown }) };
}

describe("a server composed of the packages", () => {
  it("is the one that the guide shows", () => {
    const program = readFileSync(join(import.meta.dirname, "notes-server.ts"), "utf8");
    expect(snippetsOf(GUIDE, "ts")).toEqual([program]);
  });

  it("runs its own commands beside those of the service", async () => {
    await expect
      .poll(async () => ((await post("list_sessions")).data as SessionPage).total, PATIENT)
      .toBeGreaterThan(3);
    const { sessions } = (await post("list_sessions", { limit: 1 })).data as SessionPage;
    const note = { path: sessions[0]?.path, text: "Read again." };
    expect(await post("set_note", note)).toMatchObject({ status: 200, data: note });
    expect(await post("list_notes")).toMatchObject({ status: 200, data: [note] });
  });

  it("checks payloads, and knows no other command", async () => {
    expect(await post("set_note", { path: "/s.jsonl" })).toMatchObject({
      status: 400,
      error: { code: "INVALID_PAYLOAD" },
    });
    expect(await post("create_terminal")).toMatchObject({ status: 404, error: { code: "UNKNOWN_COMMAND" } });
  });
});
