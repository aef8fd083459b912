import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { link as hardLink, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSkillsFromDir } from "@earendil-works/pi-coding-agent";
import type { AgentResources, Requester } from "@sm/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSkills, readHead, readJsonText, readText } from "./resource-files.ts";
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
    ["---\nname: x\n---\n", "The description is missing", false],
    ["", "The description is missing", false],
    ["---\nname: Big Name\ndescription: d\n---\n", "The name may contain", true],
    [`---\nname: x\ndescription: ${"d".repeat(1_025)}\n---\n`, "longer than 1024", true],
    ["---\nname: [\n---\n", "Invalid YAML in the front matter", false],
    ["---\n- a\n---\n", "must be a mapping", false],
    ["---\nname: x\ndescription: !!js/function 'function () {}'\n---\n", null, true],
    [
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e"].map((name, index) => `${name}: &${name} [${`*${"abcd"[index]},`.repeat(9)}]`).join("\n")}\ndescription: d\n---\n`,
      "Invalid YAML in the front matter",
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
    await write("home/elsewhere/linked/SKILL.md", skill("linked"));
    await symlink(at("home/elsewhere"), at("home/.pi/agent/skills/way"));
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

describe("skills of a repository", () => {
  it("are found from its root down to the project, each once, and none above", async () => {
    projects = [at("repository/one/deep"), at("repository/two"), at("home/work")];
    await mkdir(at("repository/.git"), { recursive: true });
    await mkdir(at("home/work"), { recursive: true });
    await write(".agents/skills/above/SKILL.md", skill("above"));
    await write("repository/.agents/skills/shared/SKILL.md", skill("shared"));
    await write("repository/one/.agents/skills/middle/SKILL.md", skill("middle"));
    await write("repository/one/deep/.agents/skills/deep/SKILL.md", skill("deep"));
    await write("home/.agents/skills/mine/SKILL.md", skill("mine"));
    const placed = async (project: string | null) =>
      (await resources.skills(project)).map((one) => [one.name, one.source, one.project]).sort();
    const shared = ["shared", "project", at("repository")];
    const mine = ["mine", "global", null];
    const deep = [
      ["deep", "project", at("repository/one/deep")],
      ["middle", "project", at("repository/one")],
    ];
    expect(await placed(at("repository/one/deep"))).toEqual([...deep, mine, shared].sort());
    expect(await placed(at("repository/two"))).toEqual([mine, shared]);
    // The last project is in no repository.
    const above = ["above", "project", folder];
    expect(await placed(null)).toEqual([above, ...deep, mine, shared]);
  });
});

describe("themes", () => {
  const complete = async (more: object) => {
    const agent = dirname(fileURLToPath(import.meta.resolve("@earendil-works/pi-coding-agent")));
    const theme = JSON.parse(await readFile(join(agent, "modes/interactive/theme/dark.json"), "utf8"));
    const { vars = {}, colors = {}, ...fields } = more as { vars?: object; colors?: object };
    const text = { ...theme, ...fields, vars: { ...theme.vars, ...vars }, colors: { ...theme.colors, ...colors } };
    await write("home/.pi/agent/themes/x.json", JSON.stringify(text));
    const [read] = await resources.themes(null);
    return read;
  };

  it("are read with their variables put in, as those of the agent are", async () => {
    const theme = await complete({});
    expect(theme).toMatchObject({ name: "dark", enabled: true, problems: [], description: null });
    expect(theme?.colors).toMatchObject({ border: "#5f87ff", text: "", mdHeading: "#f0c674" });
  });

  it.each([
    ["{", "It cannot be read"],
    ["[]", "It cannot be read"],
    ['{"name": "x", "colors": {}}', "colors are missing: accent, border"],
    ['{"colors": {"accent": "red"}}', 'the field "name" is missing'],
  ])("tell their problem: %j", async (text, problem) => {
    await write("home/.pi/agent/themes/x.json", text);
    const [theme] = await resources.themes(null);
    expect(theme).toMatchObject({ name: "x", enabled: false, problems: [expect.stringContaining(problem)] });
  });

  it.each([
    [{ colors: { accent: "a" }, vars: { a: "b", b: "a" } }, 'accent is "a", a variable that refers to itself'],
    [{ colors: { accent: 256 } }, "accent is 256, neither text nor a number from 0 to 255"],
    [{ colors: { accent: "crimson" } }, 'accent is "crimson", neither a color'],
    [{ colors: { accent: "#12" } }, 'accent is "#12", which is not written as'],
    [{ colors: { accent: "okhsl(1 2 300%)" } }, 'accent is "okhsl(1 2 300%)", which has a part outside'],
    [{ colors: { other: 1 } }, "unknown colors: other"],
    [{ more: 1 }, "unknown fields: more"],
    [{ name: "a/b" }, 'the name has a "/"'],
    [{ name: "system" }, 'the name "system" is taken'],
    [{ appearance: "grey" }, "appearance"],
    [{ vars: { unused: true } }, '"vars"'],
    [{ export: { page: 1 } }, '"export" may have only'],
  ])("tell of one mistake: %j", async (more, problem) => {
    const theme = await complete(more);
    expect(theme).toMatchObject({ enabled: false, problems: [expect.stringContaining(problem)] });
  });

  it("tell of many mistakes in one sentence", async () => {
    const colors = Object.fromEntries(["accent", "border", "error", "dim", "muted"].map((name) => [name, "none"]));
    const theme = await complete({ colors });
    expect(theme?.problems).toHaveLength(1);
    expect(theme?.problems[0]).toMatch(/; border is .*; 2 more\.$/);
  });

  it("have the colors of a terminal by their numbers", async () => {
    const colors = { accent: 1, border: 16, borderAccent: 196, borderMuted: 231, success: 232, error: 255, dim: "v" };
    const theme = await complete({ colors, vars: { v: 21 } });
    expect(theme?.colors).toMatchObject({
      accent: "#800000",
      border: "#000000",
      borderAccent: "#ff0000",
      borderMuted: "#ffffff",
      success: "#080808",
      error: "#eeeeee",
      dim: "#0000ff",
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

describe("links", () => {
  const listed = async () => [
    ...(await resources.skills(null)),
    ...(await resources.prompts(null)),
    ...(await resources.themes(null)),
  ];
  const link = async (target: string, path: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await symlink(target, at(path));
    return at(path);
  };

  it.each([
    ["a prompt", (target: string) => link(target, "project/.pi/prompts/p.md")],
    ["a theme", (target: string) => link(target, "project/.pi/themes/t.json")],
    ["a skill", (target: string) => link(target, "project/.pi/skills/s/SKILL.md")],
    ["a shared skill", (target: string) => link(target, "project/.agents/skills/s/SKILL.md")],
    ["the agent's skill", (target: string) => link(target, "home/.pi/agent/skills/s.md")],
    [
      "a package's skill",
      async (target: string) => {
        await write("project/.pi/settings.json", JSON.stringify({ packages: ["npm:x"] }));
        return link(target, "project/.pi/npm/node_modules/x/skills/s/SKILL.md");
      },
    ],
    [
      "a skill in a package outside of the project",
      async (target: string) => {
        await write("project/.pi/settings.json", JSON.stringify({ packages: [at("package")] }));
        return link(target, "package/skills/s/SKILL.md");
      },
    ],
  ])("of %s do not lead out of where they are", async (_name, make) => {
    const key = await write("somewhere/id_rsa", "PRIVATE KEY");
    for (const target of [key, "/proc/self/environ", "/etc/passwd"]) {
      const path = await make(target);
      expect(await listed()).toEqual([]);
      await expect(resources.read(path)).rejects.toMatchObject({ code: "FORBIDDEN" });
      await rm(path);
    }
  });

  it("of the agent's folder lead anywhere in the home, those of what lies in it nowhere else", async () => {
    await write("home/dotfiles/own/SKILL.md", "---\nname: own\ndescription: Mine.\n---\n");
    await write("home/.aws/SKILL.md", "---\nname: secret\ndescription: A key.\n---\n");
    await write("home/.pi/agent/skills/cloned/one/SKILL.md", "---\nname: one\ndescription: One.\n---\n");
    await link(at("home/dotfiles/own"), "home/.pi/agent/skills/own");
    await link(at("home/.aws"), "home/.pi/agent/skills/cloned/two");
    await link(at("home/.aws/SKILL.md"), "home/.pi/agent/skills/cloned/three/SKILL.md");
    await link(at("home/.pi/agent/skills/cloned/one"), "home/.pi/agent/skills/cloned/deep/four");
    expect(namesOf(await listed())).toEqual(["global one", "global own"]);
  });

  it.each([".pi", ".pi/prompts", ".pi/npm/node_modules/x"])("of the folder %s do not either", async (name) => {
    await write("somewhere/prompts/p.md", "PRIVATE");
    await write("somewhere/p.md", "PRIVATE");
    if (name !== ".pi") await write("project/.pi/settings.json", JSON.stringify({ packages: ["npm:x"] }));
    await link(at("somewhere"), `project/${name}`);
    expect(await listed()).toEqual([]);
  });

  it("of settings and manifests are not followed out of the project", async () => {
    await write("somewhere/settings.json", JSON.stringify({ packages: ["../package"], prompts: ["!p"] }));
    await write("somewhere/package.json", JSON.stringify({ pi: { prompts: ["./named"] } }));
    await write("project/package/named/a.md", "a");
    await link(at("somewhere/package.json"), "project/package/package.json");
    await link(at("somewhere/settings.json"), "project/.pi/settings.json");
    expect(await listed()).toEqual([]);
    await rm(at("project/.pi/settings.json"));
    await write("project/.pi/settings.json", JSON.stringify({ packages: ["../package"] }));
    expect(await listed()).toEqual([]);
    await rm(at("project/package/package.json"));
    await write("project/package/package.json", JSON.stringify({ pi: { prompts: ["./named"] } }));
    expect(namesOf(await listed())).toEqual(["package a"]);
  });

  it("within a project, and of the user within the home, are followed", async () => {
    await write("project/docs/p.md", "In the project.");
    const inProject = await link(at("project/docs/p.md"), "project/.pi/prompts/p.md");
    await write("home/dotfiles/mine/SKILL.md", skill("mine"));
    await link(at("home/dotfiles/mine"), "home/.pi/agent/skills/mine");
    expect(namesOf(await listed())).toEqual(["global mine", "project p"]);
    expect(await resources.read(inProject)).toEqual({ path: inProject, content: "In the project." });
  });
});

describe("a file that is swapped while it is read", () => {
  it("is never one from elsewhere, and no pipe is waited for", async () => {
    const path = await write("project/.pi/prompts/p.md", "Mine.");
    const key = await write("somewhere/id_rsa", "PRIVATE KEY");
    execFileSync("mkfifo", [at("pipe")]);
    await symlink(key, at("link"));
    await writeFile(at("own"), "Mine.");
    let isOver = false;
    // The same name is a file, a link to a secret and a pipe in turn.
    const swapping = (async () => {
      for (let n = 0; !isOver; n++) {
        const next = at(`next-${n}`);
        await hardLink(at(["own", "link", "pipe"][n % 3] ?? "own"), next);
        await rename(next, path);
        await rm(next, { force: true });
      }
    })();
    const seen = new Set<string>();
    try {
      for (let n = 0; n < 300; n++) {
        await resources.read(path).then(
          ({ content }) => seen.add(content),
          (error) => seen.add(error.code),
        );
        for (const prompt of await resources.prompts(null)) expect(JSON.stringify(prompt)).not.toContain("PRIVATE");
      }
    } finally {
      isOver = true;
      await swapping;
    }
    seen.delete("FORBIDDEN");
    seen.delete("NOT_FOUND");
    expect([...seen]).toEqual(["Mine."]);
  }, 60_000);
});

describe("whoever has gone", () => {
  const GONE = new Error("gone");
  it.each<[string, (requester: Requester, path: string) => Promise<unknown>]>([
    ["skills", (requester) => resources.skills(null, requester)],
    ["prompts", (requester) => resources.prompts(null, requester)],
    ["themes", (requester) => resources.themes(null, requester)],
    ["a resource", (requester, path) => resources.read(path, requester)],
  ])("has no further folder looked into for %s", async (_case, ask) => {
    const path = await write("project/.pi/prompts/p.md", "The text.");
    const client = new AbortController();
    const requester = { signal: client.signal };
    resources = openResources({
      agentDir: at("home/.pi/agent"),
      home: at("home"),
      async projects() {
        client.abort(GONE);
        return projects;
      },
    });
    await expect(ask(requester, path)).rejects.toBe(GONE);
  });

  it("has no further level of folders looked into", async () => {
    await write("skills/a/b/SKILL.md", skill("b"));
    const within = [at("skills")];
    const search = { folder: at("skills"), within };
    const { files, folders } = await findSkills(search, "folders only", undefined);
    expect([files.length, folders]).toEqual([1, [at("skills"), at("skills/a"), at("skills/a/b")]]);
    const client = new AbortController();
    const found = findSkills(search, "folders only", client.signal);
    client.abort(GONE);
    await expect(found).rejects.toBe(GONE);
  });
});

describe("what is read", () => {
  // Linux tells that it has no bytes, and gives megabytes.
  it.runIf(existsSync("/proc/kallsyms"))("ends at its limit whatever size the file system tells", async () => {
    expect(await readHead("/proc/kallsyms")).toHaveLength(64 * 1024);
    await expect(readText("/proc/kallsyms")).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(await readJsonText("/proc/kallsyms", ["/proc"])).toBeNull();
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

  it.each(["auth.json", "mcp-auth.json", "mcp.json"])("never gives %s, wherever it lies", async (name) => {
    // A package may name any of its folders as that of themes, and link to any file.
    await write("project/.pi/settings.json", JSON.stringify({ packages: ["../package"] }));
    await write("project/package/package.json", JSON.stringify({ pi: { themes: ["."] } }));
    const inPackage = await write(`project/package/${name}`, "secret");
    const elsewhere = await write(`other-agent/${name}`, "secret");
    await symlink(elsewhere, at("project/package/theme.json"));
    expect((await resources.themes(null)).map(({ path }) => path)).toEqual([at("project/package/package.json")]);
    for (const path of [inPackage, elsewhere, at("project/package/theme.json")]) {
      await expect(resources.read(path)).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
  });

  it("has a bound", async () => {
    const path = await write("project/.pi/prompts/p.md", "x".repeat(1024 * 1024 + 1));
    await expect(resources.read(path)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });
});
