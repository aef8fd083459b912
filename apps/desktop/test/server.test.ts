import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applicationPath } from "./application.ts";
import { firstLineOf } from "./programs.ts";
import { makeUser, type User } from "./user.ts";

describe("the application without a window", () => {
  let user: User;

  beforeAll(async () => {
    user = await makeUser();
  });

  afterAll(() => user?.[Symbol.asyncDispose]());

  it.each(["--cli", "--headless"])("serves without a display: %s", async (flag) => {
    // Neither DISPLAY nor a bus is in it.
    const { environment: env } = user;
    const child = spawn(applicationPath(), [flag, "--port", "0"], { env, stdio: ["ignore", "pipe", "inherit"] });
    const [url = ""] = /http:\/\/\S+/.exec(await firstLineOf(child, flag)) ?? [];
    const page = await fetch(url, { headers: { Accept: "text/html" } });
    expect(await page.text()).toContain("<title>Session Manager</title>");
    const answer = await fetch(new URL("/api", url), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ command: "scan_sessions" }),
    });
    const { data } = (await answer.json()) as { data: { path: string }[] };
    expect(data.map(({ path }) => path)).toEqual([user.session, user.otherSession]);

    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await user.processes()).toEqual([]);
  });

  it("is the command line with the same flag", async () => {
    const child = spawn(applicationPath(), ["--cli", "list", "--json"], { env: user.environment });
    const ended = once(child, "exit");
    const line = await firstLineOf(child, "list");
    expect(line).toMatch(/^[[{]/);
    expect(await ended).toEqual([0, null]);
  });
});
