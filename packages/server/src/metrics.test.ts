import type { LibraryStatus, VaultStatus } from "@sm/core";
import { describe, expect, it } from "vitest";
import { createMetrics, type MetricSources } from "./metrics.ts";

const STATUS: LibraryStatus = {
  state: "indexing",
  reason: null,
  sessions: 7,
  pending: 2,
  skipped_files: 0,
  bytes_done: 50,
  bytes_total: 300,
};

const VAULT: VaultStatus = {
  enabled: true,
  exclude_formats: [],
  exclude_projects: [],
  sessions: 0,
  only_here: 0,
  pending: 0,
  bytes: 0,
  original_bytes: 0,
  oldest_at: null,
  problems: [],
};

function create(sources: Partial<MetricSources> = {}) {
  return createMetrics({
    status: () => STATUS,
    watchEvents: () => 5,
    indexedBytes: () => 100,
    memory: () => ({ threads: 2, caches: { pages: 10, folds: 11, text: 12 }, cacheBudget: 50 }),
    vault: async () => ({ ...VAULT, sessions: 20, only_here: 21, bytes: 22, original_bytes: 23 }),
    webSockets: () => 3,
    eventStreams: () => 4,
    terminals: () => 8,
    liveSessions: () => 9,
    answerBytes: () => 1_000,
    waitingAnswers: () => 6,
    ...sources,
  });
}

/** The values in a text, by name and labels. */
function valuesOf(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

describe("createMetrics", () => {
  it.each([
    ["commands_total", "counter"],
    ["command_duration_seconds", "histogram"],
    ["http_requests_total", "counter"],
    ["ws_connections", "gauge"],
    ["sse_connections", "gauge"],
    ["sessions", "gauge"],
    ["index_pending_files", "gauge"],
    ["index_bytes_total", "counter"],
    ["watch_events_total", "counter"],
    ["threads", "gauge"],
    ["cache_bytes", "gauge"],
    ["cache_budget_bytes", "gauge"],
    ["event_lag_seconds", "histogram"],
    ["terminals", "gauge"],
    ["live_sessions", "gauge"],
    ["answer_bytes", "gauge"],
    ["waiting_answers", "gauge"],
    ["auth_failures_total", "counter"],
    ["vault_sessions", "gauge"],
    ["vault_only_here", "gauge"],
    ["vault_bytes", "gauge"],
    ["vault_original_bytes", "gauge"],
  ])("names session_manager_%s, a %s, from the start", async (name, type) => {
    expect(await create().text()).toContain(`# TYPE session_manager_${name} ${type}\n`);
  });

  it("has other figures of a service, read together, sums among them", async () => {
    let reads = 0;
    const machines = { help: { a: "A.", b: "B." }, label: "machine" };
    const metrics = create({
      others: [
        { ...machines, read: async () => ({ a: ++reads, b: new Map([["laptop", reads * 10]]) }) },
        {
          help: { c_total: "C." },
          label: "request",
          areSums: true,
          read: async () => ({ c_total: new Map([["get", reads * 5]]) }),
        },
      ],
    });
    await metrics.text();
    const text = await metrics.text();
    expect(text).toContain("# TYPE session_manager_b gauge\n");
    expect(text).toContain("# TYPE session_manager_c_total counter\n");
    const values = valuesOf(text);
    expect(values.get("session_manager_a")).toBe(2);
    expect(values.get('session_manager_b{machine="laptop"}')).toBe(20);
    expect(values.get('session_manager_c_total{request="get"}')).toBe(10);
  });

  it("reads what others count when it is asked", async () => {
    let calls = 0;
    const metrics = create({ webSockets: () => ++calls });
    expect(calls).toBe(0);
    const values = valuesOf(await metrics.text());
    expect(Object.fromEntries([...values].filter(([name]) => /^session_manager_(?!event_lag)/.test(name)))).toEqual({
      session_manager_ws_connections: 1,
      session_manager_sse_connections: 4,
      session_manager_sessions: 7,
      session_manager_index_pending_files: 2,
      session_manager_index_bytes_total: 100,
      session_manager_watch_events_total: 5,
      session_manager_threads: 2,
      'session_manager_cache_bytes{cache="pages"}': 10,
      'session_manager_cache_bytes{cache="folds"}': 11,
      'session_manager_cache_bytes{cache="text"}': 12,
      session_manager_cache_budget_bytes: 50,
      session_manager_terminals: 8,
      session_manager_vault_sessions: 20,
      session_manager_vault_only_here: 21,
      session_manager_vault_bytes: 22,
      session_manager_vault_original_bytes: 23,
      session_manager_live_sessions: 9,
      session_manager_answer_bytes: 1_000,
      session_manager_waiting_answers: 6,
      session_manager_auth_failures_total: 0,
    });
    expect(valuesOf(await metrics.text()).get("session_manager_ws_connections")).toBe(2);
  });

  it("counts commands, requests, wrong tokens and the lag of events", async () => {
    const metrics = create();
    metrics.countCommand({ command: "ping", code: "OK", seconds: 0.002 });
    metrics.countCommand({ command: "ping", code: "OK", seconds: 0.2 });
    metrics.countCommand({ command: "unknown", code: "UNKNOWN_COMMAND", seconds: 0 });
    metrics.countRequest({ method: "POST", route: "/api", status: 200 });
    metrics.countAuthFailure();
    metrics.observeEventLag(0.03);
    expect(Object.fromEntries(valuesOf(await metrics.text()))).toMatchObject({
      'session_manager_commands_total{command="ping",code="OK"}': 2,
      'session_manager_commands_total{command="unknown",code="UNKNOWN_COMMAND"}': 1,
      'session_manager_command_duration_seconds_bucket{le="0.001",command="ping"}': 0,
      'session_manager_command_duration_seconds_bucket{le="0.005",command="ping"}': 1,
      'session_manager_command_duration_seconds_count{command="ping"}': 2,
      'session_manager_http_requests_total{method="POST",route="/api",status="200"}': 1,
      session_manager_auth_failures_total: 1,
      'session_manager_event_lag_seconds_bucket{le="0.025"}': 0,
      'session_manager_event_lag_seconds_bucket{le="0.05"}': 1,
    });
  });

  it("never lets a counter go down", async () => {
    let bytes = 0;
    const metrics = create({ indexedBytes: () => bytes });
    const counts: unknown[] = [];
    for (bytes of [100, 40, 120]) {
      counts.push(valuesOf(await metrics.text()).get("session_manager_index_bytes_total"));
    }
    expect(counts).toEqual([100, 100, 120]);
  });

  it("knows the process, once, whatever the number of services", async () => {
    create();
    const text = await create().text();
    for (const name of ["process_cpu_seconds_total", "process_resident_memory_bytes", "nodejs_eventloop_lag_seconds"]) {
      expect(text.split(`# TYPE ${name} `)).toHaveLength(2);
    }
    expect(text).not.toContain("nodejs_eventloop_lag_p99_seconds");
  });

  it("gives every name one type and every line a number", async () => {
    const text = await create().text();
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect([...valuesOf(text).values()].filter(Number.isNaN)).toEqual([]);
  });
});
