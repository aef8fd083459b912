import { describe, expect, it } from "vitest";
import { runFake } from "../fake-shell.fixture.ts";

const OFF = {
  url: null,
  projects: null,
  formats: null,
  redact: false,
  state: "off",
  machine_id: null,
  files: 0,
  pending: 0,
  sent_bytes: 0,
  last_sent_at: null,
  problems: [],
};
const JOINED = {
  ...OFF,
  url: "https://hub.example.com",
  projects: ["/code"],
  formats: ["claude-code"],
  redact: true,
  state: "waiting",
  machine_id: "4f2a91c0-0000-4000-8000-000000000000",
  files: 12,
  pending: 3,
  sent_bytes: 1_500_000,
  problems: ["The hub does not answer.\u001b[2J"],
};

describe("hub", () => {
  it("status shows where sessions are sent, and problems", async () => {
    const run = await runFake(["hub"], { answers: { get_hub_status: JOINED } });
    expect(run.stdout).toMatch(/^Hub +https:\/\/hub\.example\.com$/m);
    expect(run.stdout).toMatch(/^State +waiting to try again$/m);
    expect(run.stdout).toMatch(/^Agents +Claude Code$/m);
    expect(run.stdout).toMatch(/^Sent since the start +1\.5 MB$/m);
    expect(run.stdout).toContain("The hub does not answer.");
    expect(run.stdout).not.toContain("\u001b");
    const off = await runFake(["hub", "status"], { answers: { get_hub_status: OFF } });
    expect(off.stdout).toBe("State  no hub\n");
    const json = await runFake(["hub", "status", "--json"], { answers: { get_hub_status: OFF } });
    expect(JSON.parse(json.stdout)).toEqual(OFF);
  });

  it("join chooses what is sent, and leave sends nothing any more", async () => {
    const options = [
      "--project",
      "/code",
      "--project",
      "/home/x",
      "--agent",
      "claude",
      "--redact",
      "--redact-word",
      "Acme",
    ];
    const run = await runFake(["hub", "join", "https://hub.example.com", "--token-file", "/token", ...options], {
      answers: { save_hub: JOINED },
    });
    const hub = {
      url: "https://hub.example.com",
      token_file: "/token",
      projects: ["/code", "/home/x"],
      formats: ["claude-code"],
      redact: true,
      redact_words: ["Acme"],
    };
    expect(run.sent).toEqual([["save_hub", { hub }]]);
    const left = await runFake(["hub", "leave"], { answers: { save_hub: OFF } });
    expect(left.sent).toEqual([["save_hub", { hub: null }]]);
    const without = await runFake(["hub", "join", "https://hub.example.com"], {});
    expect(without.error).toMatchObject({ message: expect.stringContaining("--token-file") });
  });
});
