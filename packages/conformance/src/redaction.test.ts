import { readFile } from "node:fs/promises";
import type { ExportedSession, RedactionPreview } from "@sm/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealService, startRealService } from "./real-service.ts";

/** Made here, so that no scanner of the repository takes it for a leak. */
const TOKEN = ["ghp", "0123456789abcdefghijklmnopqrstuvwxyz"].join("_");
const SECRETS = [TOKEN, "ada@lovelace.example", "/home/ada", "hunter2"];

let service: RealService;
let path: string;

beforeAll(async () => {
  service = await startRealService();
  const message = (id: string, parentId: string | null, message: object) => ({
    type: "message",
    id,
    parentId,
    timestamp: "2026-04-01T10:00:00.000Z",
    message,
  });
  path = await service.home.add("riddled", [
    { type: "session", version: 3, id: "riddled", timestamp: "2026-04-01T10:00:00.000Z", cwd: "/home/ada/engine" },
    message("s1", null, { role: "user", content: `Mail ada@lovelace.example the token ${TOKEN}.` }),
    message("s2", "s1", {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "The password: hunter2" },
        {
          type: "toolCall",
          id: "c1",
          name: "bash",
          arguments: { command: `TOKEN=${TOKEN} send`, password: "hunter2" },
        },
      ],
    }),
    message("s3", "s2", {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "bash",
      content: [{ type: "text", text: "sent from /home/ada/engine" }],
      isError: false,
    }),
  ]);
});

afterAll(() => service[Symbol.asyncDispose]());

const preview = (payload: object) => service.ask<RedactionPreview>("preview_redactions", { path, ...payload });

describe("an export with redaction", () => {
  it.each(["html", "markdown", "json"])("has no secret: %s", async (format) => {
    const before = await readFile(path);
    const { content, file_name, redactions } = await service.ask<ExportedSession>("export_session", {
      path,
      format,
      redact: true,
    });
    expect(SECRETS.filter((secret) => content.includes(secret) || file_name.includes(secret))).toEqual([]);
    expect(redactions?.map(({ type }) => type).sort()).toEqual(["email", "github-token", "secret", "user"]);
    expect(await readFile(path)).toEqual(before);
  });

  it("is told beforehand, without the secrets", async () => {
    const { findings, total } = await preview({});
    const exported = await service.ask<ExportedSession>("export_session", { path, format: "html", redact: true });
    expect(findings.map(({ type, count }) => ({ type, count }))).toEqual(exported.redactions);
    expect(findings.reduce((sum, { count }) => sum + count, 0)).toBe(total);
    expect(SECRETS.filter((secret) => JSON.stringify(findings).includes(secret))).toEqual([]);
    expect(findings.find(({ type }) => type === "secret")?.examples).toEqual([
      { entry_id: "s2", excerpt: "The password: [redacted:secret-1]" },
      { entry_id: "s2", excerpt: "[redacted:secret-1]" },
    ]);
  });

  it("counts what is exported only", async () => {
    const counts = async (payload: object) =>
      Object.fromEntries((await preview(payload)).findings.map(({ type, count }) => [type, count]));
    const all = await counts({});
    expect(await counts({ include_thinking: false })).toEqual({ ...all, secret: 1 });
    expect(await counts({ leaf_id: "s1", include_tools: false })).not.toHaveProperty("secret");
  });
});
