import { statSync } from "node:fs";
import type { SessionRecord } from "@sm/core";
import { sessionFiles } from "../corpus/session-files.ts";
import { Chromium, type ChromiumPage } from "../measure/chromium.ts";
import { type MainThread, watchMainThread } from "../measure/main-thread.ts";
import { median } from "../measure/percentile.ts";
import type { Service } from "../measure/service.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage, untilIdle } from "./bench.ts";
import {
  NOTE_USABLE_LIST,
  openAnySession,
  openSession,
  scrollList,
  scrollSession,
  showsNewest,
  type,
  withPage,
} from "./page-parts.ts";

/** What the page promises to somebody with years of sessions, in milliseconds. */
const LIMITS = { list: 400, session: 900, task: 50, search: 200, changes: 1_000 };

const RUNS = 5;
const QUERIES = 8;

/** How long one waits for the page, in the usual corpus and in its largest session, of 80 MB. */
export async function page(stage: Stage): Promise<BenchRow[]> {
  const chromium = await Chromium.start(stage.newDirectory());
  if (chromium === null) return [judge({ what: "the page", measured: null, unit: "ms", note: "needs chromium" })];
  const use = async (service: Service) => {
    await service.ready();
    const records = await service.scanSessions();
    // What is kept and merged behind everybody's back is measured by others.
    await untilIdle(service.process.pid);
    const { url } = service.process;
    const path = largestFile(stage);
    return [
      ...(await list(chromium, url, records.length)),
      ...(await session(chromium, url, path)),
      ...(await changes(chromium, url, path)),
      ...(await search(chromium, url, records)),
      ...(await filter(chromium, url, records)),
      ...(await find(chromium, url, path)),
    ];
  };
  try {
    return await stage.withService(stage.newDirectory(), use);
  } finally {
    await chromium.stop();
  }
}

function largestFile({ corpus }: Stage): string {
  const [largest] = sessionFiles(corpus.agentHome).sort((a, b) => statSync(b.path).size - statSync(a.path).size);
  if (largest === undefined) throw new Error("The corpus has no sessions.");
  return largest.path;
}

function limited(what: string, measured: number, limit: number, note?: string): BenchRow {
  const reference = { name: "limit", value: limit };
  return judge({ what, measured, unit: "ms", reference, ratioAtMost: 1, ...(note !== undefined && { note }) });
}

/** The longest task; in processor time, too, to which the load of the machine adds nothing. */
function tasks(what: string, { longestTask, longestTaskProcessor }: MainThread): BenchRow {
  const note = `${longestTaskProcessor.toFixed(1)} ms in processor time`;
  return limited(`${what}, longest task`, longestTask, LIMITS.task, note);
}

/** The middle one of some waits, with all of them. */
function waits(what: string, measured: readonly number[], limit: number): BenchRow {
  return limited(what, median(measured), limit, `of ${measured.map((wait) => wait.toFixed(0)).join(", ")}`);
}

async function list(chromium: Chromium, url: string, sessions: number): Promise<BenchRow[]> {
  const shown: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await withPage(chromium, async (page) => {
      await page.send("Page.addScriptToEvaluateOnNewDocument", { source: NOTE_USABLE_LIST });
      await page.send("Page.navigate", { url });
      await page.until("globalThis.listUsableAt !== undefined");
      shown.push(await page.evaluate<number>("globalThis.listUsableAt"));
    });
  }
  const scrolling = await scrollList(chromium, url);
  const what = `the list of ${sessions} sessions`;
  return [waits(`${what} is shown`, shown, LIMITS.list), tasks(`scrolling through ${what}`, scrolling)];
}

const addressOf = (url: string, path: string, more: Record<string, string> = {}) =>
  `${url}/session?${new URLSearchParams({ path, ...more })}`;

function nameOf(path: string): string {
  return `a session of ${(statSync(path).size / MEGABYTE).toFixed(0)} MB`;
}

async function session(chromium: Chromium, url: string, path: string): Promise<BenchRow[]> {
  const fromList: number[] = [];
  const byLink: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await withPage(
      chromium,
      async (page) => {
        await openAnySession(page);
        fromList.push(await page.evaluate<number>(openSession(path)));
      },
      url,
    );
    await withPage(
      chromium,
      async (page) => {
        await page.until(showsNewest(path));
        byLink.push(await page.evaluate<number>("performance.now()"));
      },
      addressOf(url, path),
    );
  }
  const scrolling = await scrollSession(chromium, addressOf(url, path), path);
  const what = nameOf(path);
  return [
    waits(`${what} is shown, from the list`, fromList, LIMITS.session),
    waits(`${what} is shown, by a link in a new window`, byLink, LIMITS.session),
    tasks(`scrolling through ${what}`, scrolling),
  ];
}

/** Becomes the milliseconds from a click until the files that were changed are there. */
const SHOW_CHANGES = `new Promise((resolve) => {
  const start = performance.now();
  [...document.querySelectorAll("aside [role=radio]")].find((one) => one.textContent === "Changes").click();
  const look = () => {
    if (document.querySelector(".changed-files li") !== null) resolve(performance.now() - start);
    else requestAnimationFrame(look);
  };
  look();
})`;

async function changes(chromium: Chromium, url: string, path: string): Promise<BenchRow[]> {
  const shown: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await withPage(
      chromium,
      async (page) => {
        await page.until(`${showsNewest(path)} && document.querySelector("aside [role=radio]") !== null`);
        shown.push(await page.evaluate<number>(SHOW_CHANGES));
      },
      addressOf(url, path, { panel: "prompts" }),
    );
  }
  return [waits(`changes of ${nameOf(path)}`, shown, LIMITS.changes)];
}

/** Words of titles, which are found. */
function queriesOf(records: readonly SessionRecord[]): string[] {
  const found = records
    .map(({ title }) => title.match(/\w{4,}/g)?.slice(0, 2) ?? [])
    .filter(({ length }) => length === 2);
  const apart = Math.max(1, Math.floor(found.length / QUERIES));
  return found
    .filter((_, index) => index % apart === 0)
    .slice(0, QUERIES)
    .map((words) => words.join(" "));
}

const SEARCH = "main input[type=search]";

/** Notes how long after the last key the results of a query are there. */
function noteResults(query: string): string {
  return `(() => {
    const field = document.querySelector("${SEARCH}");
    let key = 0;
    const note = () => (key = performance.now());
    field.addEventListener("input", note);
    field.select();
    globalThis.resultsAfter = new Promise((resolve) => {
      const queryOf = (link) => new URLSearchParams(new URL(link.href).searchParams.get("hits") ?? "").get("q");
      const look = () => {
        const results = document.querySelector("[data-results][aria-busy=false]");
        const [link] = results?.querySelectorAll("a[href*='entry=']") ?? [];
        if (link === undefined || queryOf(link) !== ${JSON.stringify(query)}) return requestAnimationFrame(look);
        field.removeEventListener("input", note);
        resolve(performance.now() - key);
      };
      look();
    });
  })()`;
}

async function search(chromium: Chromium, url: string, records: readonly SessionRecord[]): Promise<BenchRow[]> {
  const act = async (page: ChromiumPage) => {
    await page.until(`document.querySelector("${SEARCH}") !== null && document.querySelector("progress") === null`);
    await page.evaluate(`document.querySelector("${SEARCH}").focus()`);
    const [first = "", ...queries] = queriesOf(records);
    const after: number[] = [];
    const ask = async (query: string) => {
      await page.evaluate(noteResults(query));
      await type(page, query);
      after.push(await page.evaluate<number>("globalThis.resultsAfter"));
    };
    // The first word loads what searching needs.
    await ask(first);
    after.length = 0;
    const thread = await watchMainThread(page, async () => {
      for (const query of queries) await ask(query);
    });
    return { after, thread };
  };
  const { after, thread } = await withPage(chromium, act, `${url}/search`);
  return [waits("results of a search, from the last key", after, LIMITS.search), tasks("typing in the search", thread)];
}

async function filter(chromium: Chromium, url: string, records: readonly SessionRecord[]): Promise<BenchRow[]> {
  const [query = ""] = queriesOf(records);
  const act = (page: ChromiumPage) => typeInto(page, "#list-filter", query);
  return [tasks(`typing in the filter of ${records.length} sessions`, await withPage(chromium, act, url))];
}

async function find(chromium: Chromium, url: string, path: string): Promise<BenchRow[]> {
  const act = async (page: ChromiumPage) => {
    await page.until(showsNewest(path));
    return typeInto(page, ".find-bar input", "error returned");
  };
  const thread = await withPage(chromium, act, addressOf(url, path, { find: "" }));
  return [tasks(`finding in ${nameOf(path)} as one types`, thread)];
}

/** Types words into a field a second time: the first word loads what is needed. */
async function typeInto(page: ChromiumPage, field: string, text: string): Promise<MainThread> {
  await page.until(`document.querySelector("${field}") !== null && document.querySelector("progress") === null`);
  await page.evaluate(`document.querySelector("${field}").focus()`);
  await type(page, `${text.slice(0, 4)}`);
  await page.evaluate(`document.querySelector("${field}").select()`);
  return watchMainThread(page, () => type(page, text));
}
