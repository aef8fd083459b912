import type { LibraryStatus } from "@sm/core";
import type { AnsweredCommand } from "@sm/router";
import type { AnsweredRequest } from "@sm/transport-http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What is looked up whenever somebody asks for the metrics: nothing runs in between. */
export interface MetricSources {
  status(): LibraryStatus;
  /** Raw events of the watcher so far. */
  watchEvents(): number;
  indexedBytes(): number;
  webSockets(): number;
  eventStreams(): number;
  terminals(): number;
  liveSessions(): number;
}

/** The metrics of a service. Labels hold values of closed sets only: no path, no token, nothing that a client chose. */
export interface Metrics {
  contentType: string;
  /** Writes all metrics in the text format of Prometheus. */
  text(): Promise<string>;
  countCommand(done: AnsweredCommand): void;
  countRequest(done: AnsweredRequest): void;
  countAuthFailure(): void;
  /** Takes the seconds from an event's publication to its delivery to one subscriber. */
  observeEventLag(seconds: number): void;
}

/** From what is answered from memory up to the limit of a command. */
const COMMAND_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const LAG_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 5];

/** Makes the metrics of one service; those of the process come with them. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const processRegistry = processMetrics();

  const countCommand = labelledCounter(registry, {
    name: "session_manager_commands_total",
    help: "Commands that were answered, by name and by error code, OK or CANCELLED.",
    labelNames: ["command", "code"],
  });
  const durations = new Histogram({
    name: "session_manager_command_duration_seconds",
    help: "Time that commands took.",
    labelNames: ["command"],
    buckets: COMMAND_BUCKETS,
    registers,
  });
  const countRequest = labelledCounter(registry, {
    name: "session_manager_http_requests_total",
    help: "HTTP requests that are over, event streams when they end.",
    labelNames: ["method", "route", "status"],
  });
  const authFailures = new Counter({
    name: "session_manager_auth_failures_total",
    help: "Wrong API tokens.",
    registers,
  });
  const eventLag = new Histogram({
    name: "session_manager_event_lag_seconds",
    help: "Time from an event to its delivery to a client.",
    buckets: LAG_BUCKETS,
    registers,
  });

  const gauges: [name: string, help: string, read: () => number][] = [
    ["ws_connections", "Open WebSocket connections.", sources.webSockets],
    ["sse_connections", "Open event streams.", sources.eventStreams],
    ["sessions", "Sessions that are known.", () => sources.status().sessions],
    ["index_pending_files", "Files whose record or text is still to be read.", () => sources.status().pending],
    ["terminals", "Open terminals.", sources.terminals],
    ["live_sessions", "Live agent sessions.", sources.liveSessions],
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

  const counters: [name: string, help: string, read: () => number][] = [
    ["index_bytes_total", "Bytes of session files that were indexed.", sources.indexedBytes],
    ["watch_events_total", "Events of the file watcher.", sources.watchEvents],
  ];
  for (const [name, help, read] of counters) {
    let counted = 0;
    new Counter({
      name: `session_manager_${name}`,
      help,
      registers,
      collect() {
        // The watcher may be another one, which begins at 0; a counter must not go down.
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

/**
 * Makes a counter that is given its labels' values in their order. What it counted is put into words when somebody
 * asks: prom-client does so at every count, which cost 5 % of the requests a second.
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

/** Makes them once: they listen to the garbage collector as long as the process runs. */
function processMetrics(): Registry {
  if (ofProcess !== undefined) return ofProcess;
  ofProcess = new Registry();
  // The statistics of the event loop's lag come from a monitor that wakes an idle process 100 times a second. It cannot
  // be left out, but told to look once a day; the lag at the time of asking needs no monitor.
  collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: 86_400_000 });
  for (const statistic of ["min", "max", "mean", "stddev", "p50", "p90", "p99"]) {
    ofProcess.removeSingleMetric(`nodejs_eventloop_lag_${statistic}_seconds`);
  }
  return ofProcess;
}
