import { describe, expect, it } from "vitest";
import { type CliError, EXIT } from "../failure.ts";
import { runFake } from "../fake-shell.fixture.ts";

const LISTED = [
  {
    name: "ping",
    summary: "Confirms that the service responds.",
    access: "read",
    input: { type: "object" },
    output: {},
  },
  { name: "create_token", summary: "Makes\u001b[31m a token.", access: "control", input: {}, output: {} },
];
const answers = { list_commands: LISTED };

describe("call --list", () => {
  it("shows people a table of the commands", async () => {
    const run = await runFake(["call", "--list", "--no-color"], { answers, columns: 80 });
    expect(run.error).toBeNull();
    expect(run.sent).toEqual([["list_commands", {}]]);
    const [head, ping, token] = run.stdout.split("\n");
    expect(head).toMatch(/^COMMAND +ACCESS +SUMMARY *$/);
    expect(ping).toMatch(/^ping +read +Confirms that the service responds\. *$/);
    expect(token).toMatch(/^create_token +control +Makes/);
    expect(run.stdout).not.toContain("\u001b[31m");
  });

  it("gives programs all there is", async () => {
    const run = await runFake(["call", "--list", "--json"], { answers });
    expect(JSON.parse(run.stdout)).toEqual(LISTED);
  });

  it("names them alone with --quiet", async () => {
    expect((await runFake(["call", "--list", "--quiet"], { answers })).stdout).toBe("ping\ncreate_token\n");
  });

  it("describes one command with its schemas", async () => {
    const run = await runFake(["call", "--list", "ping"], { answers, columns: 80 });
    expect(JSON.parse(run.stdout)).toEqual(LISTED[0]);
  });

  it("knows no other command", async () => {
    const { error } = await runFake(["call", "--list", "pnig"], { answers });
    expect((error as CliError).exitCode).toBe(EXIT.notFound);
    expect((error as CliError).message).toContain("--list");
  });

  it("is what a call without a name is told of", async () => {
    const { error, sent } = await runFake(["call"], { answers });
    expect((error as CliError).exitCode).toBe(EXIT.usage);
    expect((error as CliError).message).toContain("--list");
    expect(sent).toEqual([]);
  });
});
