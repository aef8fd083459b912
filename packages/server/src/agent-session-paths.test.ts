import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agentSessionPaths, readAgentSessionPaths } from "./agent-session-paths.ts";

const home = "/home/me";
const inVariable = (path: string) => ({ PI_CODING_AGENT_SESSION_DIR: path });

it.each([
  ["none", null, {}, []],
  ["of the settings", { sessionDir: "/sessions/" }, {}, ["/sessions"]],
  ["from the user's home", { sessionDir: "~/sessions" }, {}, ["/home/me/sessions"]],
  ["as an address", { sessionDir: "file:///my%20sessions" }, {}, ["/my sessions"]],
  ["of the environment first", { sessionDir: "/one" }, inVariable("~/two"), ["/home/me/two", "/one"]],
  ["once", { sessionDir: "/one/../one" }, inVariable("/one"), ["/one"]],
  ["not relative to every folder", { sessionDir: ".sessions" }, inVariable("sessions"), []],
  ["not where it is no path", { sessionDir: 7 }, inVariable(""), []],
  ["not where the address is of another machine", { sessionDir: "file://elsewhere/x" }, {}, []],
])("lists directories: %s", (_, settings, env, expected) => {
  expect(agentSessionPaths(settings, { env, home })).toEqual(expected);
});

it.each([
  ['{\n  // mine\n  "sessionDir": "~/mine",\n}', ["/home/me/mine"]],
  ['{"sessionDir": ', []],
  ["[]", []],
  [null, []],
])("reads the settings %j as the agent does", async (text, expected) => {
  const agentDir = await mkdtemp(join(tmpdir(), "session-manager-agent-"));
  try {
    if (text !== null) await writeFile(join(agentDir, "settings.json"), text);
    else await mkdir(join(agentDir, "settings.json"));
    expect(await readAgentSessionPaths(agentDir, { env: {}, home })).toEqual(expected);
  } finally {
    await rm(agentDir, { recursive: true });
  }
});
