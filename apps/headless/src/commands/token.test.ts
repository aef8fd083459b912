import { describe, expect, it } from "vitest";
import { runFake } from "../fake-shell.fixture.ts";

const TERMINAL = { columns: 80, env: { NO_COLOR: "1" } };

describe("token", () => {
  const laptop = {
    id: "id-1",
    name: "laptop",
    scope: "full",
    hint: "abcdef",
    created_at: "2026-06-01T12:00:00.000Z",
    last_used_at: null,
    expires_at: null,
  };
  const twice = { ...laptop, id: "id-2", name: "twice" };
  const answers = {
    list_tokens: [laptop, twice, { ...twice, id: "id-3" }],
    create_token: { ...laptop, token: "sm_secret" },
    revoke_token: { id: "id-1", revoked: true },
  };

  it("writes a new token alone to standard output", async () => {
    const run = await runFake(["token", "create", "laptop"], { ...TERMINAL, answers });
    expect(run.stdout).toBe("sm_secret\n");
    expect(run.stderr).toContain('"laptop" (full) is valid until it is revoked');
    expect(run.sent).toEqual([["create_token", { name: "laptop", scope: "full" }]]);
    expect(run.connected).toMatchObject([{ only: "tokens" }]);
  });

  it("makes one that reads and ends", async () => {
    const run = await runFake(["token", "create", "x", "--scope", "read", "--expires", "2099-01-01T00:00Z"], {
      answers,
    });
    expect(run.sent).toEqual([["create_token", { name: "x", scope: "read", expires_at: "2099-01-01T00:00:00.000Z" }]]);
  });

  it("lists them", async () => {
    const { stdout } = await runFake(["token", "list"], { ...TERMINAL, answers });
    expect(stdout).toMatch(/^NAME +SCOPE +BEGINS WITH +CREATED +LAST USED +EXPIRES/);
    expect(stdout).toMatch(/^laptop +full +sm_abcdef… +2026-06-01 \d\d:00 +never +never/m);
    expect(JSON.parse((await runFake(["token", "list", "--json"], { answers })).stdout)).toEqual(answers.list_tokens);
  });

  it.each(["id-1", "laptop"])("revokes %s", async (named) => {
    const run = await runFake(["token", "revoke", named], { answers });
    expect(run.sent.at(-1)).toEqual(["revoke_token", { id: "id-1" }]);
  });

  it("lists the candidates of a name that is taken twice", async () => {
    const run = await runFake(["token", "revoke", "twice"], { answers });
    expect(run.error).toMatchObject({
      exitCode: 3,
      lines: [expect.stringContaining("id-2"), expect.stringContaining("id-3")],
    });
    expect(run.sent).toHaveLength(1);
  });

  it("does not repeat what it does not know, which may be a token", async () => {
    const { error } = await runFake(["token", "revoke", "sm_secret"], { answers });
    expect(error).toMatchObject({ exitCode: 3 });
    expect(String(error)).not.toContain("sm_secret");
  });
});
