import { basename } from "node:path";
import { AppError, ERROR_STATUS, type ErrorCode, type ExportedSession, type SessionLibrary } from "@sm/core";
import { type CommandResponse, registry } from "@sm/router";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { cases } from "./cases.ts";
import type { CommandCase } from "./command-case.ts";
import { FAKE_AGENT } from "./program-cases.ts";
import { type RealService, SHARING, SUGGESTS_PROXY, startRealService } from "./real-service.ts";
import { startTestServer } from "./test-server.ts";
import { rawTransports, type Transport, transports, type Visitor } from "./transports.ts";

/** A request, and what its answer must have. */
interface Exchange {
  request: unknown;
  expected: object;
}

/** No field of any command takes an object of this kind. */
const WRONG = { wrong: true };

const started = Date.now();

/** For every transport a service of its own, each on a copy of the same home. */
let places: { transport: Transport; service: RealService }[];

/** The case of add_push_device has one whose push service is nowhere, and agents change meanwhile. */
const UNREACHABLE_DEVICE = "A notification could not be sent.";

beforeAll(async () => {
  const config = { agent_command: FAKE_AGENT, ...SHARING };
  const start = async (transport: Transport) => ({
    transport,
    service: await startRealService({ transport, config, expectedProblems: [SUGGESTS_PROXY, UNREACHABLE_DEVICE] }),
  });
  places = await Promise.all(transports.map(start));
  // Made soon after a start: without it the answers would depend on when they are asked for.
  for (const { service } of places) {
    await vi.waitFor(async () => expect(await service.ask("list_config_versions")).toHaveLength(1), 30_000);
  }
});

afterAll(async () => {
  for (const { service } of places) await service[Symbol.asyncDispose]();
});

/** Sends the same requests over every transport: the answers have to be as expected, as their schema says, and equal. */
async function expectEverywhere(
  exchangesOn: (service: RealService) => Exchange[] | Promise<Exchange[]>,
  { visitor = "owner", over = transports }: { visitor?: Visitor; over?: Transport[] } = {},
): Promise<void> {
  const texts: string[] = [];
  for (const { transport, service } of places.filter((place) => over.includes(place.transport))) {
    for (const [index, { request, expected }] of (await exchangesOn(service)).entries()) {
      const response = await transport.call(service.url, request, visitor);
      const label = JSON.stringify(request);
      expect(response, label).toMatchObject(expected);
      if (response.success) await expectSchema(request, response.data);
      const text = comparable(response, service);
      texts[index] ??= text;
      expect(text, `${label} over ${transport.name}`).toBe(texts[index]);
    }
  }
}

async function expectSchema(request: unknown, data: unknown): Promise<void> {
  const command = registry.get((request as { command: string }).command);
  const checked = await command?.output["~standard"].validate(data);
  expect(checked?.issues, JSON.stringify(request)).toBeUndefined();
}

/**
 * An answer as text, without what differs between two copies of a home: the folder, new ids and tokens, clocks,
 * processes, progress, sizes and rows of databases, and scores, which depend on how sessions were spread over the text databases. Agents that the
 * service does not control belong to somebody else.
 */
function comparable({ data, error }: CommandResponse, { home }: RealService): string {
  const varies = new Set([
    "took_ms",
    "next_cursor",
    "indexed",
    "score",
    "token",
    "hint",
    "public_key",
    "url",
    "sha256",
    "pid",
    "bytes",
    "checked",
  ]);
  const simplify = (key: string, value: unknown) => {
    if (varies.has(key)) return typeof value;
    if (typeof value === "number" && value >= started) return "<now>";
    return Array.isArray(value) ? value.filter((item) => item?.controllable !== false) : value;
  };
  return JSON.stringify({ data, error }, simplify)
    .replaceAll(home.folder, "<home>")
    .replaceAll(basename(home.folder), "<name>")
    .replace(/models-[\dTZ-]+\.json/g, "<new backup>")
    .replace(/[\dT-]+Z_[\da-f]{8}-[\da-f-]{27}/g, "<new file>")
    .replace(/[\da-f]{8}-[\da-f-]{27}|\b[\da-f]{32}\b/g, "<new id>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (Date.parse(time) < started ? time : "<now>"));
}

function failureOf(code: ErrorCode, error: object = { details: null }): object {
  return { success: false, data: null, error: { code, ...error } };
}

it("has a case for every command, and for no other", () => {
  expect(Object.keys(cases).sort()).toEqual([...registry.keys()].sort());
});

/** Reading commands first, so that they find the home as it was written; agents write to it. */
const ORDER = ["read", "write", "control"];
const commands = [...registry]
  .map(([name, command]) => ({ name, command }))
  .sort((a, b) => ORDER.indexOf(a.command.access) - ORDER.indexOf(b.command.access));

describe.each(commands)("$name", ({ name, command }) => {
  const caseOn = async (service: RealService): Promise<CommandCase> =>
    (await cases[name]?.(service)) ?? { required: {}, optional: {} };

  it("has a case with every field of its payload", async () => {
    const input = command.input as { entries?: object };
    for (const { service } of places) {
      const { required, optional, instead = [] } = await caseOn(service);
      expect([...Object.keys({ ...required, ...optional }), ...instead].sort()).toEqual(
        Object.keys(input.entries ?? {}).sort(),
      );
    }
  });

  it("answers the smallest payload, each optional field alone, and all fields together", async () => {
    await expectEverywhere(async (service) => {
      const fields = Object.keys((await caseOn(service)).optional);
      const choices = fields.length === 0 ? [[]] : [[], ...fields.map((field) => [field]), fields];
      const exchanges: Exchange[] = [];
      for (const choice of choices) {
        const { required, optional, fails } = await caseOn(service);
        const payload = { ...required, ...Object.fromEntries(choice.map((field) => [field, optional[field]])) };
        const expected = fails === undefined ? { success: true, error: null } : failureOf(fails);
        exchanges.push({ request: { command: name, payload }, expected });
      }
      return exchanges;
    });
  });

  it("rejects payloads with a missing, wrong or extra field, and names the field", async () => {
    await expectEverywhere(async (service) => {
      const { required, optional, wrong = {} } = await caseOn(service);
      const full = { ...required, ...optional };
      const without = (field: string) => Object.fromEntries(Object.entries(full).filter(([name]) => name !== field));
      const faults: { path: string; payload: unknown }[] = [
        ...Object.keys(required).map((path) => ({ path, payload: without(path) })),
        ...Object.keys(full).map((path) => ({ path, payload: { ...full, [path]: wrong[path] ?? WRONG } })),
        // Objects that users own may have fields that nobody knows.
        ...(command.input.type === "loose_object"
          ? []
          : [{ path: "unknown_field", payload: { ...full, unknown_field: 1 } }]),
        { path: "", payload: [] },
        { path: "", payload: "text" },
      ];
      return faults.map(({ path, payload }) => ({
        request: { command: name, payload },
        expected: failureOf("INVALID_PAYLOAD", { details: [{ path, message: expect.any(String) }] }),
      }));
    });
  });

  it("asks a stranger for a token", async () => {
    const over = transports.filter(({ pingsStrangers }) => !(name === "ping" && pingsStrangers));
    await expectEverywhere(
      async (service) => {
        const request = { command: name, payload: (await caseOn(service)).required };
        return [{ request, expected: failureOf("UNAUTHORIZED") }];
      },
      { visitor: "stranger", over },
    );
  });
});

it.each(["html", "markdown", "json"].flatMap((format) => [false, true].map((redact) => ({ format, redact }))))(
  "exports %j alike over every transport and as a download",
  async (manner) => {
    await expectEverywhere(({ home }) => {
      const request = { command: "export_session", payload: { path: home.paths.branched, ...manner } };
      const redactions = manner.redact ? [{ type: "user", count: 1 }] : null;
      return [{ request, expected: { success: true, data: { format: manner.format, redactions } } }];
    });
    for (const { service } of places) {
      const path = service.home.paths.branched;
      const { content, file_name } = await service.ask<ExportedSession>("export_session", { path, ...manner });
      const query = new URLSearchParams({ path, format: manner.format, redact: `${manner.redact}` });
      const download = await fetch(`${service.url}/api/export?${query}`);
      expect(await download.text()).toBe(content);
      expect(download.headers.get("content-disposition")).toContain(`filename="${file_name}"`);
    }
  },
);

it("answers ping to strangers over WebSocket, before they authenticate", async () => {
  const over = transports.filter(({ pingsStrangers }) => pingsStrangers);
  const expected = { success: true, data: { pong: true } };
  await expectEverywhere(() => [{ request: { command: "ping" }, expected }], { visitor: "stranger", over });
});

describe("every transport", () => {
  it.each([[null], [[]], ["ping"], [{}], [{ command: null }], [{ payload: {} }]])(
    "calls %j no request",
    async (request) => {
      await expectEverywhere(() => [{ request, expected: failureOf("INVALID_REQUEST") }], { over: rawTransports });
    },
  );

  it.each([
    ["pnig", "ping"],
    ["scan_session", "scan_sessions"],
    ["__proto__", ""],
    ["constructor", ""],
  ])("does not know the command %s", async (command, nearest) => {
    const expected = failureOf("UNKNOWN_COMMAND", { message: expect.stringContaining(nearest) });
    await expectEverywhere(() => [{ request: { command, payload: {} }, expected }]);
  });
});

describe.each(transports)("$name", (transport) => {
  /** A service whose library fails: what a real one cannot be brought to. */
  const startFailing = (error: Error) =>
    startTestServer({
      services: { sessions: { scanJson: () => Promise.reject(error) } as unknown as SessionLibrary },
    });

  it.each(Object.keys(ERROR_STATUS) as ErrorCode[])("hands on %s from a service", async (code) => {
    const details = code === "UNAVAILABLE" ? { retry_after_ms: 100 } : null;
    await using server = await startFailing(new AppError(code, "No.", { details }));
    const response = await transport.call(server.url, { command: "scan_sessions" }, "owner");
    expect(response).toEqual(failureOf(code, { message: "No.", details }));
    expect(server.defects).toEqual([]);
  });

  it("hides the cause of a defect", async () => {
    await using server = await startFailing(new Error("secret"));
    const response = await transport.call(server.url, { command: "scan_sessions" }, "owner");
    expect(response).toEqual(failureOf("INTERNAL", { message: expect.not.stringContaining("secret"), details: null }));
    expect(server.defects).toHaveLength(1);
  });
});
