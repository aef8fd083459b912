import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../failure.ts";
import { runFake } from "../fake-shell.fixture.ts";

const TERMINAL = { columns: 80, env: { NO_COLOR: "1" } };

const skill = (name: string, path: string, more: object = {}) => ({
  name,
  description: `Does ${name}.`,
  path,
  source: "global",
  project: null,
  enabled: true,
  problems: [],
  ...more,
});

const skills = [
  skill("tides", "/home/skills/tides/SKILL.md"),
  skill("twice", "/home/skills/twice/SKILL.md"),
  skill("twice", "/p/clock/.pi/skills/twice.md", {
    source: "project",
    project: "/p/clock",
    enabled: false,
    description: null,
    problems: ["There is no description."],
  }),
];

const answers = {
  list_skills: skills,
  list_prompts: [],
  list_themes: [],
  read_resource: { path: "/x", content: "# Tides\n" },
};

describe("skills, prompts and themes", () => {
  it("are listed, with what is wrong below", async () => {
    const { stdout } = await runFake(["skills"], { ...TERMINAL, answers });
    expect(stdout.split("\n")).toEqual([
      "NAME   FROM    ON   DESCRIPTION",
      "tides  global  yes  Does tides.",
      "twice  global  yes  Does twice.",
      "twice  clock   no",
      "",
      "Problems",
      "/p/clock/.pi/skills/twice.md",
      "  There is no description.",
      "",
    ]);
    expect(JSON.parse((await runFake(["skills", "--json"], { answers })).stdout)).toEqual(skills);
  });

  it.each([
    ["prompts", "list_prompts"],
    ["themes", "list_themes"],
  ])("%s may be those of one project", async (kind, command) => {
    const run = await runFake([kind, "--project", "."], { ...TERMINAL, answers });
    expect(run).toMatchObject({ stdout: `0 ${kind}\n`, sent: [[command, { project: resolve(".") }]] });
  });

  it.each([
    [["tides"], "/home/skills/tides/SKILL.md"],
    [["/p/clock/.pi/skills/twice.md"], "/p/clock/.pi/skills/twice.md"],
    [["tides", "--project", "/p/clock"], "/home/skills/tides/SKILL.md"],
  ])("show %j", async (argv, path) => {
    const run = await runFake(["skills", "show", ...argv], { answers });
    expect(run.sent.at(-1)).toEqual(["read_resource", { path }]);
    expect(run.stdout).toBe("# Tides\n");
    expect(run.sent[0]).toEqual(["list_skills", argv.length > 1 ? { project: "/p/clock" } : {}]);
    expect(JSON.parse((await runFake(["skills", "show", ...argv, "--json"], { answers })).stdout)).toEqual(
      answers.read_resource,
    );
  });

  it("are not guessed", async () => {
    const twice = await runFake(["skills", "show", "twice"], { answers });
    expect(twice.error).toMatchObject({
      exitCode: EXIT.notFound,
      lines: skills.slice(1).map(({ path }) => `  ${path}`),
    });
    const none = await runFake(["prompts", "show", "x"], { answers });
    expect(none.error).toMatchObject({
      exitCode: EXIT.notFound,
      message: expect.stringContaining("session-cli prompts"),
    });
  });
});
