import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionRecord } from "@sm/core";
import { median, percentile } from "../measure/percentile.ts";
import type { Service } from "../measure/service.ts";
import { type BenchRow, judge } from "../report.ts";
import { Stage } from "./bench.ts";

/** Years of work; what a list costs does not depend on what the sessions hold. */
const SHAPE = { sessions: 10_000, bytes: 200_000_000 };
const PAGE = 50;
const REQUESTS = 100;
/** Tagged in one command at most. */
const TAGGED_AT_ONCE = 1_000;
const BUNDLES = 30;
const TAGS = 50;
const MODELS = 30;
const SKILLS = 500;
const STARTS = 3;

/** How long it takes to find sessions by what the user has attached to them, and to look at and change the rest. */
export async function organise(stage: Stage): Promise<BenchRow[]> {
  const own = new Stage({ ...SHAPE, ...stage.shape });
  try {
    return [...(await filteredLists(own)), ...(await bundles(own)), ...(await skills(own))];
  } finally {
    own.close();
  }
}

async function filteredLists(own: Stage): Promise<BenchRow[]> {
  return own.withService(own.newDirectory(), async (service) => {
    const records = await service.scanSessions();
    const [project = ""] = mostOften(records.flatMap(({ cwd }) => cwd ?? []));
    const words = mostOften(
      records.filter(({ cwd }) => cwd === project).flatMap(({ title }) => title.match(/\w{4,}/g) ?? []),
    );
    const tag = await tagHalf(service, records);
    const filters = [
      { what: "no filter", filter: () => ({}) },
      { what: "tag, project and words", filter: (word: string) => ({ tag_ids: [tag], project, query: word }) },
    ];
    // Reading must not be measured with it.
    await service.ready();
    const rows: BenchRow[] = [];
    for (const { what, filter } of filters) {
      const times = await timesOf(REQUESTS, (number) =>
        service.listSessions(PAGE, filter(words[number % words.length] ?? "")),
      );
      const name = `list_sessions of ${records.length}, a page of ${PAGE}, ${what}`;
      rows.push(
        judge({ what: `${name}, p50`, measured: median(times), unit: "ms", atMost: 15 }),
        judge({ what: `${name}, p99`, measured: percentile(times, 0.99), unit: "ms" }),
      );
    }
    return rows;
  });
}

/** Gives the id of a tag that every second session has. */
async function tagHalf(service: Service, records: readonly SessionRecord[]): Promise<string> {
  const { id } = (await service.command("create_tag", { name: "half", color: "#336699" })) as { id: string };
  const paths = records.filter((_, index) => index % 2 === 0).map(({ path }) => path);
  for (let start = 0; start < paths.length; start += TAGGED_AT_ONCE) {
    const session_paths = paths.slice(start, start + TAGGED_AT_ONCE);
    await service.command("assign_tag", { session_paths, tag_id: id });
  }
  return id;
}

/** The most frequent first. */
function mostOften(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text);
}

async function bundles(own: Stage): Promise<BenchRow[]> {
  const home = newHome(own);
  return own.withService(
    own.newDirectory(),
    async (service) => {
      const current = (await service.command("get_config_bundle", {})) as { server: object };
      const times = await timesOf(BUNDLES, (number) =>
        service.command("save_config_bundle", {
          ...current,
          server: { ...current.server, number },
          preferences: { number },
          tags: Array.from({ length: TAGS }, (_, index) => ({
            id: `tag-${index}`,
            name: `${index} of ${number}`,
            color: "#336699",
            parent_id: index < 10 ? null : `tag-${index % 10}`,
          })),
          agent_settings: { number },
          model_config: modelConfig(number),
        }),
      );
      return [
        judge({
          what: "save_config_bundle that changes everything, p50",
          measured: median(times),
          unit: "ms",
          reference: { name: "replace three files durably", value: replaceTime(own.newDirectory()) },
          atMost: 50,
        }),
        judge({
          what: "save_config_bundle that changes everything, p99",
          measured: percentile(times, 0.99),
          unit: "ms",
        }),
      ];
    },
    home,
  );
}

function modelConfig(number: number): object {
  const models = Array.from({ length: MODELS }, (_, index) => ({
    id: `model-${index}`,
    contextWindow: 200_000 + number,
    cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  }));
  return { providers: { local: { baseUrl: "http://127.0.0.1:8080/v1", api: "openai-completions", models } } };
}

/** Milliseconds that the disk takes for what a bundle cannot do without: the median of as many bundles. */
function replaceTime(directory: string): number {
  mkdirSync(directory);
  const times = Array.from({ length: BUNDLES }, (_, number) => {
    const start = performance.now();
    for (const name of ["a", "b", "c"]) {
      const path = join(directory, name);
      writeFileSync(`${path}.new`, `${number}`, { flush: true });
      renameSync(`${path}.new`, path);
      const opened = openSync(directory, "r");
      fsyncSync(opened);
      closeSync(opened);
    }
    return performance.now() - start;
  });
  return median(times);
}

async function skills(own: Stage): Promise<BenchRow[]> {
  const home = newHome(own);
  for (let number = 0; number < SKILLS; number++) {
    const folder = join(home, "agent", "skills", `skill-${number}`);
    mkdirSync(folder, { recursive: true });
    const text = `---\nname: skill-${number}\ndescription: Does what number ${number} does.\n---\n\n${"Step by step.\n".repeat(200)}`;
    writeFileSync(join(folder, "SKILL.md"), text);
  }
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    await own.withService(
      own.newDirectory(),
      async (service) => {
        await service.ready();
        const [time = 0] = await timesOf(1, async () => {
          const found = (await service.command("list_skills", {})) as object[];
          if (found.length !== SKILLS) throw new Error(`list_skills found ${found.length} of ${SKILLS} skills.`);
        });
        times.push(time);
      },
      home,
    );
  }
  const what = `list_skills of ${SKILLS}, the first time in a process`;
  return [judge({ what, measured: median(times), unit: "ms", atMost: 100 })];
}

/** An agent's home of the bench's own: the corpus is not to be changed. */
function newHome(own: Stage): string {
  const home = own.newDirectory();
  mkdirSync(join(home, "agent"), { recursive: true });
  return home;
}

/** Milliseconds of each run. */
async function timesOf(runs: number, action: (run: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await action(run);
    times.push(performance.now() - start);
  }
  return times;
}
