import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openResources } from "@sm/agent/resources";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AGENT_VERSIONS, installAgent, type RealAgent } from "./real-agent.ts";

/** Exports a session in the theme of the settings, of which the agent writes each color into the page. */
const SESSION = [
  { type: "session", version: 3, id: "themes", timestamp: "2026-11-01T08:00:00.000Z", cwd: tmpdir() },
  {
    type: "message",
    id: "a0000001",
    parentId: null,
    timestamp: "2026-11-01T08:00:01.000Z",
    message: { role: "user", content: "Hello", timestamp: 1 },
  },
];

/** In each of the forms in which 1.5.2 takes a color, with values at the ends and outside of sRGB. */
const FORMS = [
  "#0Af",
  "#00AAFF",
  "variable",
  ...[0, 7, 8, 15, 16, 100, 231, 232, 255],
  "oklch(62% 0.1 200)",
  "OKLCH( .62  0.1  200deg )",
  "oklch(0% 0 0)",
  "oklch(100% .3 10)",
  "oklch(0.7 0.4 140)",
  "oklch(45% 5e-1 -100)",
  "okhsl(250 60% 55%)",
  "okhsl(250deg 0.6 .55)",
  "okhsl(0 0% 0%)",
  "okhsl(400 100% 100%)",
  "okhsl(-30 100% 50%)",
  "okhsl(20 81% 67%)",
];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-themes-"));
});

afterAll(() => rm(folder, { recursive: true }));

/** The theme files that a release ships. */
async function shippedThemes(agent: RealAgent): Promise<string[]> {
  const files = await readdir(agent.folder, { recursive: true });
  const themes: string[] = [];
  for (const file of files.filter((file) => file.endsWith(".json") && !/node_modules|schema/.test(file))) {
    const path = join(agent.folder, file);
    if ((await readFile(path, "utf8")).includes('"thinkingOff"')) themes.push(path);
  }
  return themes;
}

/** Lays a theme where the agent finds it, and gives what we read and what the agent makes of its colors. */
async function readBoth(agent: RealAgent, theme: { name: string }) {
  const home = await mkdtemp(join(folder, "home-"));
  const agentDir = join(home, ".pi", "agent");
  await mkdir(join(agentDir, "themes"), { recursive: true });
  await writeFile(join(agentDir, "themes", `${theme.name}.json`), JSON.stringify(theme));
  await writeFile(join(agentDir, "settings.json"), JSON.stringify({ theme: theme.name }));
  const [ours] = await openResources({ agentDir, home, projects: async () => [] }).themes(null);
  if (ours === undefined) throw new Error("The theme is not listed.");

  const session = join(home, "session.jsonl");
  await writeFile(session, SESSION.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const output = join(home, "export.html");
  const run = new Promise<string>((resolve) => {
    const env = { ...process.env, HOME: home, PI_CODING_AGENT_DIR: agentDir, PI_OFFLINE: "1" };
    const child = execFile(join(agent.programs, "pi"), ["--mode", "rpc", "--session", session], { env, cwd: home });
    let told = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (told += data));
    child.on("exit", () => resolve(told));
    child.stdout?.on("data", () => told.includes('"export_html"') && child.stdin?.end());
    child.stdin?.write(`${JSON.stringify({ id: "1", type: "export_html", outputPath: output })}\n`);
  });
  const told = await run;
  const page = await readFile(output, "utf8").catch(() => {
    throw new Error(`The agent has not exported: ${told}`);
  });
  const theirs = Object.fromEntries(
    [...page.matchAll(/^\s*--(\w+): (#[\da-f]{6});/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  return { ours, theirs };
}

/** The colors of ours that the agent has too; what is the terminal's own has no tone in ours. */
function compared(ours: Record<string, string>, theirs: Record<string, string>) {
  const names = Object.keys(theirs).filter((name) => !name.startsWith("export") && ours[name] !== "");
  return [names.map((name) => [name, ours[name]]), names.map((name) => [name, theirs[name]])];
}

describe.each(AGENT_VERSIONS)("the themes that pi %s ships", (version) => {
  it("are loaded, with the colors that the agent gives them", async () => {
    const agent = await installAgent(version);
    const paths = await shippedThemes(agent);
    expect(paths.map((path) => basename(path))).toEqual(expect.arrayContaining(["dark.json", "light.json"]));
    for (const path of paths) {
      const theme = JSON.parse(await readFile(path, "utf8"));
      const { ours, theirs } = await readBoth(agent, theme);
      expect(ours).toMatchObject({ name: theme.name, enabled: true, problems: [] });
      expect(Object.keys(theirs).length).toBeGreaterThan(40);
      const [read, made] = compared(ours.colors, theirs);
      expect(read, path).toEqual(made);
    }
  }, 60_000);
});

describe("a theme of one's own", () => {
  let agent: RealAgent;
  let dark: { name: string; vars: object; colors: Record<string, unknown> };

  beforeAll(async () => {
    agent = await installAgent("1.5.2");
    dark = JSON.parse(await readFile(join(agent.folder, "dist/modes/interactive/theme/dark.json"), "utf8"));
  });

  it("may have colors in each of the agent's forms", async () => {
    const names = Object.keys(dark.colors);
    const forms = Object.fromEntries(FORMS.map((form, index) => [names[index], form]));
    const theme = {
      ...dark,
      name: "forms",
      vars: { ...dark.vars, variable: 39 },
      colors: { ...dark.colors, ...forms },
    };
    const { ours, theirs } = await readBoth(agent, theme);
    expect(ours.problems).toEqual([]);
    const [read, made] = compared(ours.colors, theirs);
    expect(read).toEqual(made);
  });

  it("has the tokens of the agent's schema, and no others", async () => {
    const schema = JSON.parse(await readFile(join(agent.folder, "schemas", "theme.schema.json"), "utf8"));
    const { required, properties } = schema.properties.colors;
    const all = Object.fromEntries(Object.keys(properties).map((name) => [name, 1]));
    expect((await problemsOf({ name: "all", colors: all })).join()).toBe("");
    expect((await problemsOf({ name: "none", colors: {} })).join()).toContain(`missing: ${required.join(", ")}.`);
    expect((await problemsOf({ name: "more", colors: { ...all, more: 1 } })).join()).toContain("more");
  });
});

async function problemsOf(theme: object): Promise<string[]> {
  const home = await mkdtemp(join(folder, "home-"));
  const agentDir = join(home, "agent");
  await mkdir(join(agentDir, "themes"), { recursive: true });
  await writeFile(join(agentDir, "themes", "mine.json"), JSON.stringify(theme));
  const [read] = await openResources({ agentDir, home, projects: async () => [] }).themes(null);
  return read?.problems ?? ["It is not listed."];
}
