import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSkillsFromDir } from "@earendil-works/pi-coding-agent";
import type { AgentResources } from "@sm/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openResources } from "./resources.ts";

let folder: string;
let resources: AgentResources;
let projects: string[];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "session-manager-resources-")));
  projects = [at("project")];
  resources = openResources({ agentDir: at("home/.pi/agent"), home: at("home"), projects: async () => projects });
});

afterEach(() => rm(folder, { recursive: true }));

const at = (path: string) => join(folder, path);

async function write(path: string, text: string): Promise<string> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
  return at(path);
}

const skill = (name: string, more = "") => `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n# ${name}\n`;

const namesOf = (list: { name: string; source: string; enabled: boolean }[]) =>
  list.map(({ name, source, enabled }) => `${source} ${name}${enabled ? "" : " (off)"}`).sort();

describe("skills", () => {
  it("are found in all places, each as it lies", async () => {
    const path = await write("home/.pi/agent/skills/one/SKILL.md", skill("one"));
    await write("home/.pi/agent/skills/one/deeper/SKILL.md", skill("hidden"));
    await write("home/.pi/agent/skills/group/two/SKILL.md", skill("two"));
    await write("home/.pi/agent/skills/root.md", skill("root"));
    await write("home/.pi/agent/skills/.hidden/SKILL.md", skill("hidden"));
    await write("home/.pi/agent/skills/node_modules/x/SKILL.md", skill("hidden"));
    await write("home/.agents/skills/three/SKILL.md", skill("three"));
    await write("home/.agents/skills/root.md", skill("hidden"));
    await write("project/.pi/skills/four.md", skill("four"));
    await write("project/.agents/skills/five/SKILL.md", skill("five"));
    const skills = await resources.skills(null);
    expect(namesOf(skills)).toEqual([
      "global one",
      "global root",
      "global three",
      "global two",
      "project five",
      "project four",
    ]);
    expect(skills.find(({ name }) => name === "one")).toEqual({
      name: "one",
      description: "Does one.",
      path,
      source: "global",
      project: null,
      enabled: true,
      problems: [],
    });
    expect(skills.find(({ name }) => name === "four")).toMatchObject({ project: at("project") });
    projects = [at("project"), at("other")];
    expect(await resources.skills(at("project"))).toHaveLength(6);
    expect(await resources.skills(at("other"))).toHaveLength(4);
    // Only projects of known sessions are looked into.
    projects = [];
    expect(await resources.skills(null)).toHaveLength(4);
    expect(await resources.skills(at("project"))).toHaveLength(4);
  });

  it("are those that the agent finds", async () => {
    await write("home/.pi/agent/skills/a/SKILL.md", skill("a"));
    await write("home/.pi/agent/skills/b/c/SKILL.md", skill("another-name"));
    await write("home/.pi/agent/skills/d/SKILL.md", "---\nname: d\n---\n");
    await write("home/.pi/agent/skills/e.md", "---\ndescription: >\n  Over two\n  lines.\n---\n");
    await write("home/.pi/agent/skills/f/SKILL.md", "---\nname: [\n---\n");
    const { skills } = loadSkillsFromDir({ dir: at("home/.pi/agent/skills"), source: "user" });
    const found = (await resources.skills(null)).filter(({ enabled }) => enabled);
    expect(found.map(({ name, description, path }) => ({ name, description, path }))).toEqual(
      expect.arrayContaining(
        skills.map(({ name, description, filePath }) => ({ name, description: description.trim(), path: filePath })),
      ),
    );
    expect(found).toHaveLength(skills.length);
  });

  it.each([
    ["---\nname: x\n---\n", "There is no description", false],
    ["", "There is no description", false],
    ["---\nname: Big Name\ndescription: d\n---\n", "The name may have only", true],
    [`---\nname: x\ndescription: ${"d".repeat(1_025)}\n---\n`, "longer than 1024", true],
    ["---\nname: [\n---\n", "The front matter is no YAML", false],
    ["---\n- a\n---\n", "no list of fields", false],
    ["---\nname: x\ndescription: !!js/function 'function () {}'\n---\n", null, true],
    [
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e"].map((name, index) => `${name}: &${name} [${`*${"abcd"[index]},`.repeat(9)}]`).join("\n")}\ndescription: d\n---\n`,
      "The front matter is no YAML",
      false,
    ],
  ])("tell their problems: %j", async (text, problem, enabled) => {
    await write("home/.pi/agent/skills/x/SKILL.md", text);
    const [found] = await resources.skills(null);
    expect(found).toMatchObject({ enabled });
    if (problem === null) expect(found?.problems).toEqual([]);
    else expect(found?.problems.join()).toContain(problem);
  });

  it("of one name are loaded once", async () => {
    const first = await write("home/.pi/agent/skills/a/SKILL.md", skill("same"));
    await write("home/.agents/skills/b/SKILL.md", skill("same"));
    await write("project/.pi/skills/c/SKILL.md", skill("same"));
    const [one, two, three] = await resources.skills(null);
    expect([one?.enabled, two?.enabled, three?.enabled]).toEqual([true, false, true]);
    expect(two?.problems.join()).toContain(first);
  });

  it("can be switched off by the settings", async () => {
    for (const name of ["a", "b", "c", "d"]) await write(`home/.pi/agent/skills/${name}/SKILL.md`, skill(name));
    await write(
      "home/.pi/agent/settings.json",
      '{"skills": ["!skills/{a,b}", "!c", "+skills/b/SKILL.md", "-skills/d"]} // mine',
    );
    expect(namesOf(await resources.skills(null))).toEqual([
      "global a (off)",
      "global b",
      "global c (off)",
      "global d (off)",
    ]);
  });

  it("survive circles of links and folders that are too large", async () => {
    await write("home/.pi/agent/skills/a/SKILL.md", skill("a"));
    await symlink(at("home/.pi/agent/skills"), at("home/.pi/agent/skills/circle"));
    await symlink(at("nowhere"), at("home/.pi/agent/skills/broken"));
    await mkdir(at("elsewhere/linked"), { recursive: true });
    await write("elsewhere/linked/SKILL.md", skill("linked"));
    await symlink(at("elsewhere"), at("home/.pi/agent/skills/way"));
    await mkdir(at("home/.agents/skills"), { recursive: true });
    await Promise.all(
      Array.from({ length: 10_500 }, (_, number) => writeFile(at(`home/.agents/skills/${number}.md`), "")),
    );
    expect(namesOf(await resources.skills(null))).toEqual(["global a", "global linked"]);
  });
});

describe("prompts", () => {
  it("are the files of a folder, and not below it", async () => {
    await write(
      "home/.pi/agent/prompts/review.md",
      "---\ndescription: Reviews.\nargument-hint: <file>\n---\nReview $1",
    );
    await write("home/.pi/agent/prompts/deeper/no.md", "no");
    await write("project/.pi/prompts/plain.md", `\n${"Long ".repeat(20)}\nsecond`);
    await write("project/.pi/prompts/empty.md", "");
    await write("project/.pi/prompts/broken.md", "---\na: [\n---\n");
    const prompts = await resources.prompts(null);
    expect(namesOf(prompts)).toEqual(["global review", "project broken (off)", "project empty", "project plain"]);
    expect(prompts[0]).toMatchObject({ description: "Reviews.", argument_hint: "<file>" });
    expect(prompts.find(({ name }) => name === "plain")).toMatchObject({
      description: `${"Long ".repeat(12)}...`,
      argument_hint: null,
    });
    expect(prompts.find(({ name }) => name === "empty")).toMatchObject({ description: null });
  });
});

describe("themes", () => {
  it("are read with their variables put in, as those of the agent are", async () => {
    const agent = dirname(fileURLToPath(import.meta.resolve("@earendil-works/pi-coding-agent")));
    await write(
      "home/.pi/agent/themes/mine.json",
      await readFile(join(agent, "modes/interactive/theme/dark.json"), "utf8"),
    );
    const [theme] = await resources.themes(null);
    expect(theme).toMatchObject({ name: "dark", enabled: true, problems: [], description: null });
    expect(theme?.colors).toMatchObject({ border: "#5f87ff", text: "", mdHeading: "#f0c674" });
  });

  it.each([
    ["{", "It cannot be read"],
    ["[]", "It cannot be read"],
    ['{"name": "x", "colors": {}}', "Colors are missing: accent, border"],
    ['{"colors": {"accent": "a"}, "vars": {"a": "b", "b": "a"}}', "The color accent is none"],
    ['{"colors": {"accent": 256}}', "The color accent is none"],
    ['{"colors": {"accent": "red"}}', 'The field "name" is missing'],
  ])("tell their problems: %j", async (text, problem) => {
    await write("home/.pi/agent/themes/x.json", text);
    const [theme] = await resources.themes(null);
    expect(theme).toMatchObject({ name: "x", enabled: false });
    expect(theme?.problems.join()).toContain(problem);
  });

  it("have the colors of a terminal by their numbers", async () => {
    const colors = { a: 1, b: 16, c: 196, d: 231, e: 232, f: 255, g: "v" };
    await write("home/.pi/agent/themes/x.json", JSON.stringify({ name: "x", colors, vars: { v: 21 } }));
    const [theme] = await resources.themes(null);
    expect(theme?.colors).toEqual({
      a: "#cd0000",
      b: "#000000",
      c: "#ff0000",
      d: "#ffffff",
      e: "#080808",
      f: "#eeeeee",
      g: "#0000ff",
    });
  });
});

describe("packages", () => {
  it("bring their own", async () => {
    await write(
      "home/.pi/agent/settings.json",
      JSON.stringify({
        packages: [
          "../../../local",
          { source: "git:github.com/someone/thing@v1", skills: ["!b"], prompts: [] },
          "https://github.com/someone/other.git",
          "npm:no-such-package-here@1.0.0",
          "/nowhere",
          1,
        ],
      }),
    );
    await write("project/.pi/settings.json", JSON.stringify({ packages: ["npm:@scope/tool@^1.2.3"] }));
    await write("local/package.json", JSON.stringify({ pi: { skills: ["./abilities"], prompts: ["../../home"] } }));
    await write("local/abilities/a/SKILL.md", skill("a"));
    await write("local/prompts/p.md", "p");
    await write("home/.pi/agent/git/github.com/someone/thing/skills/b/SKILL.md", skill("b"));
    await write("home/.pi/agent/git/github.com/someone/thing/prompts/q.md", "q");
    await write("home/.pi/agent/git/github.com/someone/other/skills/c/SKILL.md", skill("c"));
    await write("project/.pi/npm/node_modules/@scope/tool/skills/d/SKILL.md", skill("d"));
    expect(namesOf(await resources.skills(null))).toEqual(["package a", "package b (off)", "package c", "package d"]);
    expect(namesOf(await resources.prompts(null))).toEqual(["package p", "package q (off)"]);
    expect((await resources.skills(null)).find(({ name }) => name === "d")).toMatchObject({ project: at("project") });
  });
});

describe("read", () => {
  it("gives the text of what is listed, and of nothing else", async () => {
    const path = await write("project/.pi/prompts/p.md", "The text.");
    await write("home/.pi/agent/auth.json", "secret");
    expect(await resources.read(path)).toEqual({ path, content: "The text." });
    for (const other of [at("home/.pi/agent/auth.json"), `${at("project/.pi/prompts")}/../prompts/p.md`, "p.md", ""]) {
      await expect(resources.read(other)).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
  });

  it("never gives what the agent keeps to itself, whatever a project links to", async () => {
    const secret = await write("home/.pi/agent/auth.json", "secret");
    await mkdir(at("project/.pi/prompts"), { recursive: true });
    await symlink(secret, at("project/.pi/prompts/p.md"));
    await symlink(at("home/.pi/agent"), at("project/.pi/themes"));
    expect(await resources.prompts(null)).toEqual([]);
    expect(await resources.themes(null)).toEqual([]);
    for (const path of ["project/.pi/prompts/p.md", "project/.pi/themes/auth.json"]) {
      await expect(resources.read(at(path))).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
  });

  it("has a bound", async () => {
    const path = await write("project/.pi/prompts/p.md", "x".repeat(1024 * 1024 + 1));
    await expect(resources.read(path)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });
});
