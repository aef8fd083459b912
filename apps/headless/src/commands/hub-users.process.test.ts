import { needsPostgres, type PostgresServer, startPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT } from "../failure.ts";
import { type FakeOptions, runFake } from "../fake-shell.fixture.ts";

describe.runIf(needsPostgres())("users of a hub", () => {
  let postgres: PostgresServer;
  let store: string;

  beforeAll(async () => {
    postgres = await startPostgres();
    store = await postgres.newDatabase();
  });

  afterAll(() => postgres.close());

  const run = (args: string[], options: FakeOptions = {}) => runFake(["hub", ...args, "--store", store], options);

  it("are added, listed, get another role and lose their tokens", async () => {
    expect((await run(["add-user", "ada"])).stdout).toMatch(/^sm_[\w-]{43}\n$/);
    await run(["add-user", "ben\u001b[2J", "--role", "owner"]);
    expect(await run(["set-role", "ada", "owner"])).toMatchObject({ stdout: '"ada" is an owner now.\n', error: null });
    const listed = await run(["users"]);
    expect(listed.stdout).toMatch(/^NAME +ROLE +LAST SEEN +SIGNS IN WITH\nada +owner +never +1 token\nben/);
    expect(listed.stdout).not.toContain("\u001b");
    expect(await run(["revoke-tokens", "ada"])).toMatchObject({ stdout: "1 token revoked.\n" });
    const [ada] = JSON.parse((await run(["users", "--json"])).stdout);
    expect(ada).toMatchObject({ name: "ada", role: "owner", last_seen_at: null, issuers: [], tokens: 0 });
  });

  it("are removed by whoever confirms what goes", async () => {
    await run(["add-user", "cy"]);
    const unconfirmed = await run(["remove-user", "cy"]);
    expect(unconfirmed.error).toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringMatching(/--yes to remove 0 sessions of 0 machines and 1 token/),
    });
    const refused = await run(["remove-user", "cy"], { columns: 80, typed: "n\n" });
    expect(refused.stderr).toContain('Remove "cy" with 0 sessions of 0 machines and 1 token?');
    expect((await run(["users", "--quiet"])).stdout).toContain("cy\n");
    const removed = await run(["remove-user", "cy", "--yes"]);
    expect(removed.stdout).toBe('"cy" is removed, with 0 sessions of 0 machines and 1 token.\n');
    expect((await run(["users", "--quiet"])).stdout).not.toContain("cy\n");
  });

  it.each([
    [["set-role", "nobody", "member"], /no user named "nobody"/],
    [["set-role", "ada", "admin"], /Allowed choices/],
    [["remove-user", "nobody", "--yes"], /no user named/],
    [["link-user", "ada", "ada"], /never signed in/],
  ])("says why %j is refused", async (args, message) => {
    expect((await run(args)).error).toMatchObject({ message: expect.stringMatching(message) });
  });
});
