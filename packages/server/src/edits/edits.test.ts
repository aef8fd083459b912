import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lookAtFiles } from "../configuration/config-files.ts";
import { followResources } from "../resource-edits.ts";
import { type Edits, followEdits } from "./edits.ts";
import { FolderWatch } from "./folder-watch.ts";

const PATIENT = { timeout: 30_000 };

let folder: string;
let projects: string[];
let edits: Edits;
/** Parts that were told of, in order. */
let told: string[];
let failures: unknown[];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "session-manager-edits-")));
  projects = [at("project")];
  told = [];
  failures = [];
});

afterEach(async () => {
  await edits?.close();
  await rm(folder, { recursive: true });
  expect(failures).toEqual([]);
});

const at = (path: string) => join(folder, path);

async function write(path: string, text = "text"): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
}

/** As editors and the agent save: another file takes the place. */
async function replace(path: string): Promise<void> {
  await writeFile(at(`${path}.new`), "replaced");
  await rename(at(`${path}.new`), at(path));
}

async function link(path: string, target: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await symlink(at(target), at(path));
}

/** Follows all that the service follows, until everything is watched. */
async function follow(): Promise<void> {
  const watched = vi.spyOn(FolderWatch.prototype, "watch");
  edits = followEdits({
    followed: [
      {
        look: () => lookAtFiles([at("config/session-manager.json"), at("home/.pi/agent/settings.json")]),
        onEdit: (parts) => void told.push(...parts),
      },
      followResources({
        agentDir: at("home/.pi/agent"),
        home: at("home"),
        library: { projects: async () => projects },
        bus: { publish: (_name, payload) => void told.push(...(payload as { kinds: string[] }).kinds) },
      }),
    ],
    firstLookMs: 0,
    log: { warn: (fields) => void failures.push(fields), error: (fields) => void failures.push(fields) },
  });
  // The last one finds that nothing is to be watched that was not.
  await vi.waitFor(async () => expect(await watched.mock.results.at(-1)?.value).toBe(false), PATIENT);
  watched.mockRestore();
  told.length = 0;
}

async function isTold(...parts: string[]): Promise<void> {
  await vi.waitFor(() => expect(told).toEqual(expect.arrayContaining(parts)), PATIENT);
  told.length = 0;
}

type Steps = [prepare: () => Promise<unknown>, change: () => Promise<unknown>, part?: string];

const SETTINGS = "home/.pi/agent/settings.json";
const CONFIG = "config/session-manager.json";

const CHANGES: Record<string, Steps> = {
  "a file that is written in place": [() => write(CONFIG), () => write(CONFIG, "other")],
  "a file that another takes the place of": [() => write(CONFIG), () => replace(CONFIG)],
  "a file that is removed": [() => write(CONFIG), () => rm(at(CONFIG))],
  "a file that appears": [() => mkdir(at("config")), () => write(CONFIG)],
  "a file whose folders are missing up to the home": [async () => {}, () => write(SETTINGS)],
  "a file whose folder is moved away and made again": [
    () => write(SETTINGS),
    async () => {
      await rename(at("home/.pi/agent"), at("home/.pi/before"));
      await write(SETTINGS, "other");
    },
  ],
  "a file behind a link": [
    async () => {
      await write("dotfiles/settings.json");
      await link(SETTINGS, "dotfiles/settings.json");
    },
    () => replace("dotfiles/settings.json"),
  ],
  "a link that leads elsewhere": [
    async () => {
      await write("dotfiles/settings.json");
      await write("dotfiles/others.json", "others");
      await link(SETTINGS, "dotfiles/settings.json");
    },
    async () => {
      await link(`${SETTINGS}.new`, "dotfiles/others.json");
      await rename(at(`${SETTINGS}.new`), at(SETTINGS));
    },
  ],
  "a file that appears where a link leads": [
    () => link(SETTINGS, "dotfiles/settings.json"),
    () => write("dotfiles/settings.json"),
  ],
  "a file in the place of a link that leads to itself": [() => link(SETTINGS, SETTINGS), () => replace(SETTINGS)],
  "a skill that is written": [
    () => write("home/.pi/agent/skills/one/SKILL.md"),
    () => write("home/.pi/agent/skills/one/SKILL.md", "other"),
    "skills",
  ],
  "a skill in folders that were not there": [
    () => write(SETTINGS),
    () => write("home/.pi/agent/skills/group/one/SKILL.md"),
    "skills",
  ],
  "a skill that is no longer in a folder that stays": [
    async () => {
      await write("home/.pi/agent/skills/one/SKILL.md");
      await write("home/.pi/agent/skills/one/more.md");
    },
    () => rm(at("home/.pi/agent/skills/one/SKILL.md")),
    "skills",
  ],
  "a folder of skills that others take the place of": [
    async () => {
      await write("home/.pi/agent/skills/one/SKILL.md");
      await write("home/.pi/agent/others/two/SKILL.md");
    },
    async () => {
      await rename(at("home/.pi/agent/skills"), at("home/.pi/agent/before"));
      await rename(at("home/.pi/agent/others"), at("home/.pi/agent/skills"));
    },
    "skills",
  ],
  "a skill behind a link": [
    async () => {
      await write("home/mine/one/SKILL.md");
      await link("home/.pi/agent/skills/one", "home/mine/one");
    },
    () => replace("home/mine/one/SKILL.md"),
    "skills",
  ],
  "a skill for every agent": [() => mkdir(at("home")), () => write("home/.agents/skills/one/SKILL.md"), "skills"],
  "a prompt": [
    () => mkdir(at("home/.pi/agent"), { recursive: true }),
    () => write("home/.pi/agent/prompts/p.md"),
    "prompts",
  ],
  "a theme": [() => write("home/.pi/agent/themes/t.json"), () => replace("home/.pi/agent/themes/t.json"), "themes"],
  "a prompt of a project that had nothing": [
    () => write("project/code.ts"),
    () => write("project/.pi/prompts/p.md"),
    "prompts",
  ],
  "a skill of a project's repository": [
    async () => {
      projects = [at("repository/part")];
      await mkdir(at("repository/.git"), { recursive: true });
      await mkdir(at("repository/part"));
    },
    () => write("repository/.agents/skills/one/SKILL.md"),
    "skills",
  ],
  "a prompt of a package": [
    async () => {
      await write("package/prompts/p.md");
      await write(SETTINGS, JSON.stringify({ packages: [at("package")] }));
    },
    () => write("package/prompts/p.md", "other"),
    "prompts",
  ],
};

describe("edits are told of", () => {
  it.each(Object.entries(CHANGES))(
    "%s, and the next one too",
    async (_case, [prepare, change, part = "configuration"]) => {
      await prepare();
      await follow();
      await change();
      await isTold(part);
      // What was made or replaced is watched by then.
      await vi.waitFor(async () => {
        await write(part === "configuration" ? CONFIG : "home/.pi/agent/skills/next/SKILL.md", `${Math.random()}`);
        expect(told).toContain(part === "configuration" ? part : "skills");
      }, PATIENT);
    },
  );

  it("of a project that came later, once it is said that there is one", async () => {
    await follow();
    projects.push(at("later"));
    await write("later/.pi/themes/t.json");
    edits.lookSoon();
    await isTold("themes");
    await replace("later/.pi/themes/t.json");
    await isTold("themes");
  });

  it("and what is no resource is nothing to tell of", async () => {
    await write("home/.pi/agent/skills/one/SKILL.md");
    await follow();
    await write("home/.pi/agent/auth.json");
    await write("home/.pi/agent/skills/one/script.sh");
    await write("project/code.ts");
    await replace("home/.pi/agent/skills/one/SKILL.md");
    await isTold("skills");
    expect(told).toEqual([]);
  });
});

const handles = () => process.getActiveResourcesInfo().filter((name) => /FSEvent|Stat/.test(name)).length;

describe("what is watched", () => {
  const open = () => new FolderWatch({ onEvent: () => {}, onError: (error) => void failures.push(error) });

  it("is nothing when it is closed, at whatever moment", async () => {
    await follow();
    expect(handles()).toBeGreaterThan(0);
    await edits.close();
    expect(handles()).toBe(0);
    edits = followEdits({ followed: [], log: { warn: () => {}, error: () => {} } });
    await edits.close();
    expect(handles()).toBe(0);
  });

  it("is a folder once, under whatever names, and none of its files", async () => {
    await write("real/file");
    await link("link", "real");
    const watch = open();
    expect(await watch.watch([at("real"), at("link"), at("real/missing"), at("none/a"), at("none/b")])).toBe(true);
    expect(watch.folders).toBe(2);
    expect(await watch.watch([at("real")])).toBe(false);
    expect([watch.folders, handles()]).toEqual([1, 1]);
    await watch.close();
  });

  it("has bounds", async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => at(`many/${index}`));
    await Promise.all(many.map((path) => mkdir(path, { recursive: true })));
    const watch = open();
    await watch.watch([at("many")]);
    // It has so many entries that each event would cost much.
    expect([watch.folders, watch.isIncomplete]).toEqual([1, true]);
    await watch.watch(many);
    expect([watch.folders, watch.isIncomplete]).toEqual([1_000, true]);
    await watch.watch(many.slice(0, 3));
    expect([watch.folders, watch.isIncomplete]).toEqual([3, false]);
    await watch.close();
  });
});
