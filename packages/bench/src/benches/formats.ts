import { appendFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { SessionRecord } from "@sm/core";
import { type Corpus, openCorpus } from "../corpus/corpus.ts";
import { DEFAULT_PARAMETERS } from "../corpus/plan.ts";
import { sessionFiles } from "../corpus/session-files.ts";
import {
  type PlantedText,
  type TranslatedFormat,
  type TranslatedHome,
  translateCorpus,
} from "../corpus/translated-homes.ts";
import { median, percentile } from "../measure/percentile.ts";
import type { Service } from "../measure/service.ts";
import { openSocket } from "../measure/socket.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage } from "./bench.ts";

/** Of each format, unless `--bytes` and `--sessions` say otherwise. */
const SHAPE = { bytes: 80_000_000, sessions: 240 };
const TRANSLATED: readonly TranslatedFormat[] = ["claude-code", "codex"];
const RUNS = 3;
const FIRST_PAGE = 50;
const APPENDS = 100;
const MAX_GAP_MS = 150;
const POLL_MS = 5;
const EVENT_TIMEOUT_MS = 10_000;

/** What a service reads in a measurement. */
interface Subject {
  name: string;
  /** Home of pi. */
  agentHome: string;
  /** Homes of other agents. */
  homes: readonly Pick<TranslatedHome, "format" | "home">[];
  bytes: number;
}

/** How sessions of other agents are read, beside pi's in the same run: rates, appends, recall, and the list of pi. */
export async function formats(stage: Stage): Promise<BenchRow[]> {
  const corpus = openCorpus({ ...DEFAULT_PARAMETERS, ...SHAPE, ...stage.shape });
  const others = TRANSLATED.map((format) => translateCorpus(corpus, format, stage.newDirectory()));
  const emptyHome = stage.newDirectory();
  mkdirSync(join(emptyHome, "agent", "sessions"), { recursive: true });
  const nothing: Subject = { name: "nothing", agentHome: emptyHome, homes: [], bytes: 0 };
  const pi: Subject = { name: "pi", agentHome: corpus.agentHome, homes: [], bytes: corpus.manifest.bytes };
  const subjects = others.map(
    ({ format, home, bytes }): Subject => ({ name: format, agentHome: emptyHome, homes: [{ format, home }], bytes }),
  );

  // Taking turns, so that a busy moment of the machine does not fall on one of them alone.
  const times = new Map<string, { records: number[]; text: number[] }>();
  for (let run = 0; run < RUNS; run++) {
    for (const subject of [nothing, pi, ...subjects]) {
      const { records, text } = await coldTimes(stage, subject);
      const known = times.get(subject.name) ?? { records: [], text: [] };
      known.records.push(records);
      known.text.push(text);
      times.set(subject.name, known);
    }
  }
  const rate = (subject: Subject, what: "records" | "text") => {
    const of = (name: string) => Math.min(...(times.get(name)?.[what] ?? []));
    return subject.bytes / MEGABYTE / Math.max(0.001, of(subject.name) - of("nothing"));
  };
  const rows: BenchRow[] = [];
  for (const subject of subjects) {
    for (const [what, key] of [
      ["records", "records"],
      ["text searchable", "text"],
    ] as const) {
      rows.push(
        judge({
          what: `${what}, cold, sessions of ${subject.name}, beyond the start of an empty service`,
          measured: rate(subject, key),
          unit: "MB/s",
          reference: { name: "as many bytes of pi", value: rate(pi, key) },
          ratioAtLeast: 0.7,
        }),
      );
    }
  }
  for (const [place, subject] of subjects.entries()) {
    const translated = others[place] as TranslatedHome;
    rows.push(...(await used(stage, subject, translated)));
  }
  rows.push(await firstPage(stage, pi, { ...pi, name: "all", homes: others }, corpus));
  return rows;
}

/** Starts a service that reads the homes of a subject. */
function withSubject<Result>(
  stage: Stage,
  { agentHome, homes }: Subject,
  use: (service: Service) => Promise<Result>,
  state = stage.newDirectory(),
): Promise<Result> {
  mkdirSync(join(state, "config"), { recursive: true });
  const agents = Object.fromEntries(homes.map(({ format, home }) => [format, { enabled: true, homes: [home] }]));
  writeFileSync(join(state, "config", "session-manager.json"), JSON.stringify({ agents }));
  return stage.withService(state, use, agentHome);
}

/** Seconds from the process start. */
function coldTimes(stage: Stage, subject: Subject): Promise<{ records: number; text: number }> {
  return withSubject(stage, subject, async (service) => {
    await service.scanSessions();
    const records = service.process.elapsed() / 1000;
    await service.ready();
    return { records, text: service.process.elapsed() / 1000 };
  });
}

/** Recall of what was planted, and how long an appended prompt takes until a client has its record. */
async function used(
  stage: Stage,
  subject: Subject,
  { home, format, growing, planted }: TranslatedHome,
): Promise<BenchRow[]> {
  // A copy: its sessions grow.
  const copy = stage.newDirectory();
  cpSync(home, copy, { recursive: true });
  const path = growing.path.replace(home, copy);
  return withSubject(stage, { ...subject, homes: [{ format, home: copy }] }, async (service) => {
    await service.scanSessions();
    await service.ready();
    const found = await foundOf(
      service,
      planted.map((text) => ({ ...text, path: text.path.replace(home, copy) })),
    );
    const socket = await openSocket(service.process.url);
    const times: number[] = [];
    try {
      for (let append = 0; append < APPENDS; append++) {
        await pause(Math.random() * MAX_GAP_MS);
        const line = growing.prompt(`Go on with step ${append}.`);
        const told = new Promise<number>((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error(`No event told of an append to ${path}.`)), EVENT_TIMEOUT_MS);
          const onMessage = (data: Buffer) => {
            const now = performance.now();
            const { event, payload } = JSON.parse(data.toString()) as {
              event: string;
              payload: { updated: SessionRecord[] };
            };
            const isShown = (record: SessionRecord) =>
              record.path === path && record.last_message?.endsWith(` ${append}.`);
            if (event !== "sessions-diff" || !payload.updated.some(isShown)) return;
            clearTimeout(timer);
            socket.off("message", onMessage);
            resolve(now);
          };
          socket.on("message", onMessage);
        });
        const start = performance.now();
        appendFileSync(path, line);
        times.push((await told) - start);
      }
    } finally {
      socket.terminate();
    }
    const what = `prompt appended to a session of ${format} → record on a WebSocket client`;
    return [
      judge({
        what: `recall of ${planted.length} texts planted in sessions of ${format}`,
        measured: found,
        unit: "",
        atLeast: 1,
      }),
      judge({ what: `${what}, median`, measured: percentile(times, 0.5), unit: "ms" }),
      judge({ what: `${what}, 99 %`, measured: percentile(times, 0.99), unit: "ms", atMost: 150 }),
    ];
  });
}

async function foundOf(service: Service, planted: readonly PlantedText[]): Promise<number> {
  let found = 0;
  for (const { place, query, path } of planted) {
    const { hits } = await service.search({ query, per_session: 1 });
    if (hits.some((hit) => hit.session_path === path)) found++;
    else process.stderr.write(`not found: ${place}: ${query} in ${path}\n`);
  }
  return found / planted.length;
}

/** Time from the process start until a list of pi's sessions is there, with the homes of all agents and pi's alone. */
async function firstPage(stage: Stage, pi: Subject, all: Subject, corpus: Corpus): Promise<BenchRow> {
  const wanted = Math.min(FIRST_PAGE, sessionFiles(corpus.agentHome).length);
  const opened = [pi, all].map((subject) => ({ subject, state: stage.newDirectory(), times: [] as number[] }));
  for (const { subject, state } of opened) await withSubject(stage, subject, (service) => service.ready(), state);
  for (let run = 0; run < RUNS + 2; run++) {
    for (const { subject, state, times } of opened) {
      const open = async (service: Service) => {
        for (;;) {
          const { sessions } = await service.listSessions(wanted, { format: "pi" });
          if (sessions.length === wanted) return service.process.elapsed();
          await pause(POLL_MS);
        }
      };
      times.push(await withSubject(stage, subject, open, state));
    }
  }
  const [alone = [], together = []] = opened.map(({ times }) => times);
  return judge({
    what: `list_sessions has ${wanted} of pi, started again, with the homes of all agents`,
    measured: median(together),
    unit: "ms",
    reference: { name: "with that of pi alone", value: median(alone) },
    ratioAtMost: 1.1,
  });
}
