import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT_VERSIONS, installAgent } from "./real-agent.ts";

describe.each(AGENT_VERSIONS)("pi %s", (version) => {
  it("runs as a program and as a library", async () => {
    const agent = await installAgent(version);
    const environment = { ...process.env, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" };
    const output = (program: string, ...args: string[]) => {
      // The oldest release prints its version on standard error.
      const { stdout, stderr } = spawnSync(program, args, { env: environment, encoding: "utf8" });
      return `${stdout}${stderr}`.trim();
    };
    expect(output(join(agent.programs, "pi"), "--version")).toBe(version);
    const script = "import(process.argv[1]).then((agent) => console.log(typeof agent.SessionManager.open))";
    expect(output(agent.node, "-e", script, agent.library)).toBe("function");
  });
});

it.each(["README.md", "packages/pi-extension/README.md"])("%s says which releases are tested", (file) => {
  const text = readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");
  const releases = new Intl.ListFormat("en-GB").format(AGENT_VERSIONS);
  expect(text).toContain(`It is tested with pi ${releases}.\n`);
});
