import { statSync } from "node:fs";
import { join } from "node:path";
import type { SessionRecord } from "@sm/core";
import { sessionFiles } from "../corpus/session-files.ts";
import { Chromium, type ChromiumPage } from "../measure/chromium.ts";
import { type MainThread, watchMainThread } from "../measure/main-thread.ts";
import { median } from "../measure/percentile.ts";
import { addSessionPaths, type Service } from "../measure/service.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, Stage } from "./bench.ts";
import {
  LIST_IS_USABLE,
  NOTE_USABLE_LIST,
  openAnySession,
  openSession,
  ROW,
  scrollList,
  scrollSession,
  TRANSCRIPT,
  taskRows,
  type,
  withPage,
} from "./page-parts.ts";

/** Years of work, one session of 50 MB and one of more than 20,000 entries. */
const MANY = { sessions: 10_000, bytes: 200_000_000 };
const LARGE = { sessions: 1, bytes: 50_000_000 };
const LONG = { sessions: 1, bytes: 42_000_000, seed: 2 };

const RUNS = 3;
const KILOBYTE = 1000;
/** Sessions that are opened before memory is looked at: the first ones load the parts of the page. */
const WARM_UPS = 20;
const OPENED = 100;

/** What the page costs those who use it: what they load and wait for, and how long it does not answer them. */
export async function web(stage: Stage): Promise<BenchRow[]> {
  const [many, large, long] = [{ ...MANY, ...stage.shape }, LARGE, LONG].map((shape) => new Stage(shape)) as [
    Stage,
    Stage,
    Stage,
  ];
  const chromium = await Chromium.start(stage.newDirectory());
  try {
    if (chromium === null) return [judge({ what: "the page", measured: null, unit: "ms", note: "needs chromium" })];
    const stateDirectory = stage.newDirectory();
    addSessionPaths(
      stateDirectory,
      [large, long].map(({ corpus }) => join(corpus.agentHome, "agent", "sessions")),
    );
    const use = async (service: Service) => {
      await service.ready();
      const { url } = service.process;
      const records = await service.scanSessions();
      return [
        ...(await firstLoads(chromium, url, records.length)),
        ...(await typing(chromium, url, records)),
        ...(await listScrolling(chromium, url, records.length)),
        ...(await largeSession(chromium, url, onlyFile(large))),
        ...(await longSession(chromium, url, onlyFile(long), long.corpus.manifest.entries)),
        ...(await memory(chromium, url)),
      ];
    };
    return await many.withService(stateDirectory, use);
  } finally {
    await chromium?.stop();
    for (const own of [many, large, long]) own.close();
  }
}

function onlyFile(stage: Stage): string {
  const [file] = sessionFiles(stage.corpus.agentHome);
  if (file === undefined) throw new Error("The corpus has no sessions.");
  return file.path;
}

async function firstLoads(chromium: Chromium, url: string, sessions: number): Promise<BenchRow[]> {
  const usable: number[] = [];
  const threads: MainThread[] = [];
  let scriptBytes = 0;
  for (let run = 0; run < RUNS; run++) {
    await withPage(chromium, async (page) => {
      const scripts = new Set<unknown>();
      scriptBytes = 0;
      page.on("Network.responseReceived", ({ type, requestId }) => type === "Script" && scripts.add(requestId));
      page.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
        if (scripts.has(requestId)) scriptBytes += Number(encodedDataLength);
      });
      await page.send("Network.enable");
      await page.send("Page.addScriptToEvaluateOnNewDocument", { source: NOTE_USABLE_LIST });
      const thread = await watchMainThread(page, async () => {
        await page.send("Page.navigate", { url });
        await page.until("globalThis.listUsableAt !== undefined");
      });
      usable.push(await page.evaluate<number>("globalThis.listUsableAt"));
      threads.push(thread);
      // Whatever else is asked for without anybody's doing belongs to the first load.
      await page.until("document.querySelector('progress') === null");
    });
  }
  const what = `first load of the list of ${sessions} sessions`;
  return [
    judge({ what: `${what}, JavaScript as sent`, measured: scriptBytes / KILOBYTE, unit: "KB", atMost: 200 }),
    judge({ what: `${what}, until a row can be clicked`, measured: median(usable), unit: "ms", atMost: 1_000 }),
    judge({
      what: `${what}, processor time of the main thread`,
      measured: median(threads.map(({ processor }) => processor)),
      unit: "ms",
    }),
  ];
}

async function typing(chromium: Chromium, url: string, records: readonly SessionRecord[]): Promise<BenchRow[]> {
  const words = records[0]?.title.match(/\w{4,}/g)?.slice(0, 4) ?? [];
  const query = words.join(" ");
  const places = [
    { what: "typing in the search", address: `${url}/search`, field: "main input[type=search]" },
    { what: `typing in the filter of ${records.length} sessions`, address: url, field: "#list-filter" },
  ];
  const rows: BenchRow[] = [];
  for (const { what, address, field } of places) {
    const act = async (page: ChromiumPage) => {
      await page.until(`document.querySelector("${field}") !== null && document.querySelector("progress") === null`);
      await page.evaluate(`document.querySelector("${field}").focus()`);
      // The first word loads what searching needs.
      await type(page, `${query} `);
      return watchMainThread(page, () => type(page, query));
    };
    rows.push(...taskRows(what, await withPage(chromium, act, address), 50));
  }
  return rows;
}

async function listScrolling(chromium: Chromium, url: string, sessions: number): Promise<BenchRow[]> {
  const scrolling = await scrollList(chromium, url);
  const what = `scrolling through ${sessions} sessions`;
  return [
    judge({ what: `${what}, longest frame`, measured: scrolling.longestFrame, unit: "ms", atMost: 100 }),
    judge({ what: `${what}, longest blank`, measured: scrolling.longestBlank, unit: "ms", atMost: 100 }),
    ...taskRows(what, scrolling),
  ];
}

async function largeSession(chromium: Chromium, url: string, path: string): Promise<BenchRow[]> {
  const measured: number[] = [];
  const threads: MainThread[] = [];
  for (let run = 0; run < RUNS; run++) {
    await withPage(
      chromium,
      async (page) => {
        await openAnySession(page);
        const thread = await watchMainThread(page, async () => {
          measured.push(await page.evaluate<number>(openSession(path)));
        });
        threads.push(thread);
      },
      url,
    );
  }
  const what = `a session of ${(statSync(path).size / MEGABYTE).toFixed(0)} MB`;
  const [first = null] = measured;
  return [
    judge({ what: `${what} opens at its newest entry, first time`, measured: first, unit: "ms", atMost: 1_000 }),
    judge({ what: `${what} opens at its newest entry, again`, measured: median(measured.slice(1)), unit: "ms" }),
    judge({
      what: `${what}, processor time of the main thread`,
      measured: median(threads.map(({ processor }) => processor)),
      unit: "ms",
    }),
  ];
}

async function longSession(chromium: Chromium, url: string, path: string, entries: number): Promise<BenchRow[]> {
  const scrolling = await scrollSession(chromium, `${url}/session?${new URLSearchParams({ path })}`, path);
  const what = `scrolling through ${entries} entries`;
  return [
    judge({
      what: `${what}, longest blank`,
      measured: scrolling.longestBlank,
      unit: "ms",
      atMost: 100,
      note: `${scrolling.steps} turns of the wheel`,
    }),
    judge({ what: `${what}, longest frame`, measured: scrolling.longestFrame, unit: "ms" }),
    ...taskRows(what, scrolling),
  ];
}

/** Opens one session after the other with the keyboard. */
async function memory(chromium: Chromium, url: string): Promise<BenchRow[]> {
  const figures = await withPage(
    chromium,
    async (page) => {
      await page.until(`${LIST_IS_USABLE} && document.querySelector("progress") === null`);
      await openNext(page, WARM_UPS);
      const before = await heapOf(page);
      await openNext(page, OPENED);
      return { before, after: await heapOf(page) };
    },
    url,
  );
  const what = `memory after opening ${OPENED} sessions`;
  const { before, after } = figures;
  return [
    judge({
      what: `${what}, more than before`,
      measured: (after.bytes - before.bytes) / MEGABYTE,
      unit: "MB",
      atMost: 30,
    }),
    judge({ what, measured: after.bytes / MEGABYTE, unit: "MB" }),
    judge({
      what: `elements after opening ${OPENED} sessions, more than before`,
      measured: after.nodes - before.nodes,
      unit: "",
    }),
  ];
}

async function openNext(page: ChromiumPage, count: number): Promise<void> {
  for (let opened = 0; opened < count; opened++) {
    const before = await page.evaluate<string>("location.href");
    for (const type of ["keyDown", "keyUp"]) {
      await page.send("Input.dispatchKeyEvent", { type, key: "J", code: "KeyJ", text: "J", modifiers: 8 });
    }
    await page.until(`location.href !== ${JSON.stringify(before)} && document.querySelector("${ROW} [aria-current=page]") !== null
      && document.querySelector("${TRANSCRIPT}[aria-busy=false] .entry") !== null`);
  }
}

async function heapOf(page: ChromiumPage): Promise<{ bytes: number; nodes: number }> {
  await page.send("HeapProfiler.collectGarbage");
  await page.send("Performance.enable");
  const { metrics } = (await page.send("Performance.getMetrics")) as { metrics: { name: string; value: number }[] };
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { bytes: of("JSHeapUsedSize"), nodes: of("Nodes") };
}
