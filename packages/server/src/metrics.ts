import type { LibraryStatus, VaultStatus } from "@sm/core";
import type { AnsweredCommand } from "@sm/router";
import type { AnsweredRequest } from "@sm/transport-http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Values read on demand when the metrics are requested. */
export interface MetricSources {
  status(): LibraryStatus;
  /** Number of raw watcher events. */
  watchEvents(): number;
  indexedBytes(): number;
  /** Running threads, and bytes of their caches. */
  memory(): { threads: number; caches: { pages: number; folds: number; text: number }; cacheBudget: number };
  /** `null` if it is not known. */
  vault(): Promise<VaultStatus | null>;
  webSockets(): number;
  eventStreams(): number;
  terminals(): number;
  liveSessions(): number;
  /** Bytes reserved for large responses being created or sent. */
  answerBytes(): number;
  /** Large responses that wait for their share of memory. */
  waitingAnswers(): number;
  /** What else a service has. */
  others?: readonly OtherFigures[];
}

/**
 * Figures by their names without the prefix, read together each time. What has a value for each of several has them by the
 * value of the label.
 */
export interface OtherFigures {
  help: Readonly<Record<string, string>>;
  label: string;
  /** Whether they only grow, from 0 when the process starts. */
  areSums?: boolean;
  read(): Promise<Readonly<Record<string, number | ReadonlyMap<string, number>>>>;
}

/** Metrics of a service. Labels have values of closed sets only: no paths, tokens or client input. */
export interface Metrics {
  contentType: string;
  /** All metrics in Prometheus text format. */
  text(): Promise<string>;
  countCommand(done: AnsweredCommand): void;
  countRequest(done: AnsweredRequest): void;
  countAuthFailure(): void;
  /** Records the delay from an event's publication to its delivery, in seconds. */
  observeEventLag(seconds: number): void;
}

/** From responses out of memory up to the time limit of commands. */
const COMMAND_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const LAG_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 5];

/** Creates the metrics of one service, including those of the process. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const processRegistry = processMetrics();

  const countCommand = labelledCounter(registry, {
    name: "session_manager_commands_total",
    help: "Completed commands, by name and by error code, OK or CANCELLED.",
    labelNames: ["command", "code"],
  });
  const durations = new Histogram({
    name: "session_manager_command_duration_seconds",
    help: "Duration of commands.",
    labelNames: ["command"],
    buckets: COMMAND_BUCKETS,
    registers,
  });
  const countRequest = labelledCounter(registry, {
    name: "session_manager_http_requests_total",
    help: "Completed HTTP requests; event streams count when they end.",
    labelNames: ["method", "route", "status"],
  });
  const authFailures = new Counter({
    name: "session_manager_auth_failures_total",
    help: "Wrong API tokens.",
    registers,
  });
  const eventLag = new Histogram({
    name: "session_manager_event_lag_seconds",
    help: "Delay between an event and its delivery to a client.",
    buckets: LAG_BUCKETS,
    registers,
  });

  const gauges: [name: string, help: string, read: () => number][] = [
    ["ws_connections", "Open WebSocket connections.", sources.webSockets],
    ["sse_connections", "Open event streams.", sources.eventStreams],
    ["sessions", "Known sessions.", () => sources.status().sessions],
    ["index_pending_files", "Files still to be indexed.", () => sources.status().pending],
    ["threads", "Running threads of the library.", () => sources.memory().threads],
    ["cache_budget_bytes", "Bytes that all caches together may hold.", () => sources.memory().cacheBudget],
    ["terminals", "Open terminals.", sources.terminals],
    ["live_sessions", "Live agent sessions.", sources.liveSessions],
    ["answer_bytes", "Bytes of memory reserved for large responses.", sources.answerBytes],
    ["waiting_answers", "Large responses waiting for memory.", sources.waitingAnswers],
  ];
  for (const [name, help, read] of gauges) {
    new Gauge({
      name: `session_manager_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }

  new Gauge({
    name: "session_manager_cache_bytes",
    help: "Bytes of the caches in all threads: pages of databases (their limits), folds of growing sessions, text of the index.",
    labelNames: ["cache"],
    registers,
    collect() {
      for (const [cache, bytes] of Object.entries(sources.memory().caches)) this.set({ cache }, bytes);
    },
  });

  for (const others of sources.others ?? []) addFigures(registry, others);

  const vaultGauges: [name: string, help: string, read: (status: VaultStatus) => number][] = [
    ["sessions", "Sessions in the vault.", ({ sessions }) => sessions],
    ["only_here", "Sessions whose files are gone: the vault alone has them.", ({ only_here }) => only_here],
    ["bytes", "Size of the vault on disk.", ({ bytes }) => bytes],
    ["original_bytes", "Size of what the vault keeps, before compression.", ({ original_bytes }) => original_bytes],
  ];
  for (const [name, help, read] of vaultGauges) {
    new Gauge({
      name: `session_manager_vault_${name}`,
      help,
      registers,
      async collect() {
        const status = await sources.vault();
        if (status !== null) this.set(read(status));
      },
    });
  }

  const counters: [name: string, help: string, read: () => number][] = [
    ["index_bytes_total", "Bytes of session files indexed.", sources.indexedBytes],
    ["watch_events_total", "Events of the file watcher.", sources.watchEvents],
  ];
  for (const [name, help, read] of counters) {
    let counted = 0;
    new Counter({
      name: `session_manager_${name}`,
      help,
      registers,
      collect() {
        // A new watcher starts at 0, but a counter must not decrease.
        const now = Math.max(counted, read());
        this.inc(now - counted);
        counted = now;
      },
    });
  }

  return {
    contentType: registry.contentType,
    text: async () => `${await registry.metrics()}\n${await processRegistry.metrics()}`,
    countCommand({ command, code, seconds }) {
      countCommand(command, code);
      durations.observe({ command }, seconds);
    },
    countRequest: ({ method, route, status }) => countRequest(method, route, `${status}`),
    countAuthFailure: () => authFailures.inc(),
    observeEventLag: (seconds) => eventLag.observe(seconds),
  };
}

function addFigures(registry: Registry, { help: all, label, areSums = false, read }: OtherFigures): void {
  let isRead: ReturnType<OtherFigures["read"]> | null = null;
  for (const [name, help] of Object.entries(all)) {
    const values = async (): Promise<[labels: Record<string, string>, value: number][]> => {
      isRead ??= read();
      const figures = await isRead;
      isRead = null;
      const value = figures[name] ?? Number.NaN;
      return typeof value === "number" ? [[{}, value]] : [...value].map(([of, each]) => [{ [label]: of }, each]);
    };
    const described = { name: `session_manager_${name}`, help, registers: [registry], labelNames: [label] };
    if (areSums) {
      new Counter({
        ...described,
        async collect() {
          const now = await values();
          this.reset();
          for (const [labels, value] of now) this.inc(labels, value);
        },
      });
    } else {
      new Gauge({
        ...described,
        async collect() {
          const now = await values();
          this.reset();
          for (const [labels, value] of now) this.set(labels, value);
        },
      });
    }
  }
}

/**
 * Creates a counter that takes label values by position. Labels are formatted when metrics are requested: prom-client
 * does it at every increment, which cost 5 % of the requests per second.
 */
function labelledCounter<Label extends string>(
  registry: Registry,
  configuration: { name: string; help: string; labelNames: Label[] },
): (...values: string[]) => void {
  const counted = new Map<string, { values: string[]; untold: number }>();
  new Counter({
    ...configuration,
    registers: [registry],
    collect() {
      for (const entry of counted.values()) {
        const labels = configuration.labelNames.map((name, place) => [name, entry.values[place] ?? ""]);
        if (entry.untold > 0) this.inc(Object.fromEntries(labels), entry.untold);
        entry.untold = 0;
      }
    },
  });
  return (...values) => {
    const key = values.join(" ");
    const entry = counted.get(key);
    if (entry === undefined) counted.set(key, { values, untold: 1 });
    else entry.untold += 1;
  };
}

let ofProcess: Registry | undefined;

/** Created once: they observe the garbage collector as long as the process runs. */
function processMetrics(): Registry {
  if (ofProcess !== undefined) return ofProcess;
  ofProcess = new Registry();
  // The event loop statistics come from a monitor that wakes an idle process 100 times per second. It cannot be
  // disabled, but slowed down to once a day; the current lag needs no monitor.
  collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: 86_400_000 });
  for (const statistic of ["min", "max", "mean", "stddev", "p50", "p90", "p99"]) {
    ofProcess.removeSingleMetric(`nodejs_eventloop_lag_${statistic}_seconds`);
  }
  return ofProcess;
}
