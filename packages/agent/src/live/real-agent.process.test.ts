import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type LiveSetup, setUpLive } from "./live-sessions.fixture.ts";

const REAL_AGENT = fileURLToPath(
  new URL("../../node_modules/@earendil-works/pi-coding-agent/dist/cli.js", import.meta.url),
);

/** An agent that asks nothing of the network, with models that nobody serves. */
async function setUpReal(): Promise<LiveSetup> {
  const environment = { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" };
  const setup = await setUpLive({ command: REAL_AGENT, times: { end: 20_000 } }, environment);
  const models = [
    { id: "one", reasoning: true, input: ["text"] },
    { id: "two", reasoning: false, input: ["text"] },
  ];
  const provider = { baseUrl: "http://127.0.0.1:9/v1", api: "openai-completions", apiKey: "none", models };
  await writeFile(join(setup.agentDir, "models.json"), JSON.stringify({ providers: { nobody: provider } }));
  return setup;
}

describe("the real agent", { timeout: 120_000 }, () => {
  it("is started, named, given another model, and stopped", async () => {
    await using setup = await setUpReal();
    const { live, cwd } = setup;
    const session = await live.start({ cwd, model: "nobody/one", name: "First" });
    expect(session).toMatchObject({ cwd, state: "idle", session_path: null, model: "nobody/one", name: "First" });
    const { session_id } = session;
    expect(await live.setName(session_id, "Second")).toMatchObject({ name: "Second" });
    const changed = await live.setModel(session_id, { model: "two", thinking_level: null });
    expect(changed).toMatchObject({ model: "nobody/two", thinking_level: "off" });
    expect(await live.models(session_id)).toContainEqual({ model: "nobody/one", name: "one", reasoning: true });
    await live.stop(session_id);
    const exit = await setup.record(session, "service_exit");
    expect(exit).toMatchObject({ exit_code: expect.toBeOneOf([0, 143]), signal: null, stopped: true });
  });

  it("goes on with a stored session, and writes into its file", async () => {
    await using setup = await setUpReal();
    const session_path = await setup.store("0e9b7c1e-5a30-4d2c-8a53-1f6f0b0a9d11");
    // Before its first answer the agent writes nothing.
    const answer = { role: "assistant", content: [{ type: "text", text: "Hello" }], provider: "nobody", model: "two" };
    const entry = { type: "message", id: "a1", parentId: null, timestamp: "2026-01-02T03:04:06.000Z", message: answer };
    await appendFile(session_path, `${JSON.stringify(entry)}\n`);
    const session = await setup.live.start({ session_path });
    expect(session).toMatchObject({ session_id: "0e9b7c1e-5a30-4d2c-8a53-1f6f0b0a9d11", session_path });
    await setup.live.setName(session.session_id, "Stored");
    expect(await readFile(session_path, "utf8")).toContain('"name":"Stored"');
    await expect(setup.live.start({ session_path })).rejects.toMatchObject({
      code: "CONFLICT",
      details: { session_id: session.session_id },
    });
  });

  it("says why it does not start", async () => {
    await using setup = await setUpReal();
    const { live, cwd } = setup;
    for (const model of ["nobody/three", "elsewhere/one-and-a-half"]) {
      await expect(live.start({ cwd, model })).rejects.toMatchObject({
        code: "INVALID_PAYLOAD",
        details: [{ path: "model" }],
      });
    }
    expect(live.count).toBe(0);
  });

  it("starts without any model, and then refuses to work", async () => {
    await using setup = await setUpReal();
    await writeFile(join(setup.agentDir, "models.json"), "{}");
    const { session_id, model } = await setup.live.start({ cwd: setup.cwd });
    expect(model).toBeNull();
    await expect(setup.live.prompt({ session_id, prompt: "hello", mode: "prompt" })).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(/^The agent refused: /),
    });
  });

  it("is listed where somebody else has started it, and cannot be controlled", async () => {
    await using setup = await setUpReal();
    await using other = await setUpLive();
    const { pid, cwd } = await setup.live.start({ cwd: setup.cwd });
    const session_id = `external-${pid}`;
    await expect
      .poll(() => other.live.list(), { timeout: 60_000, interval: 500 })
      .toContainEqual(
        expect.objectContaining({ session_id, pid, cwd, state: "idle", controllable: false, session_path: null }),
      );
    expect((await setup.live.list()).filter((session) => session.pid === pid)).toHaveLength(1);
    await expect(other.live.stop(session_id)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await other.live.entries(session_id, null)).toEqual({ entries: [], next_seq: 0, has_gap: false });
  });
});
