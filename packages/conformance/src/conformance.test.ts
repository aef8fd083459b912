import { AppError, ERROR_STATUS, type ErrorCode, type SessionLibrary } from "@sm/core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { describeCommands, expectEverywhere, failureOf, type Place } from "./command-suite.ts";
import { FAKE_AGENT } from "./program-cases.ts";
import { type RealService, SHARING, SUGGESTS_PROXY, startRealService } from "./real-service.ts";
import { startTestServer } from "./test-server.ts";
import { rawTransports, type Transport, transports } from "./transports.ts";

/** For every transport a service of its own, each on a copy of the same home. */
let places: (Place & { service: RealService })[];

/** The case of add_push_device has one whose push service is nowhere, and agents change meanwhile. */
const UNREACHABLE_DEVICE = "A notification could not be sent.";

beforeAll(async () => {
  const config = { agent_command: FAKE_AGENT, ...SHARING };
  const start = async (transport: Transport) => ({
    transport,
    service: await startRealService({ transport, config, expectedProblems: [SUGGESTS_PROXY, UNREACHABLE_DEVICE] }),
    owner: "owner" as const,
    machineId: null,
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

describeCommands(() => places);

describe("every transport", () => {
  it.each([[null], [[]], ["ping"], [{}], [{ command: null }], [{ payload: {} }]])(
    "calls %j no request",
    async (request) => {
      const exchanges = [{ request, expected: failureOf("INVALID_REQUEST") }];
      await expectEverywhere(places, () => exchanges, { over: rawTransports });
    },
  );

  it.each([
    ["pnig", "ping"],
    ["scan_session", "scan_sessions"],
    ["__proto__", ""],
    ["constructor", ""],
  ])("does not know the command %s", async (command, nearest) => {
    const expected = failureOf("UNKNOWN_COMMAND", { message: expect.stringContaining(nearest) });
    await expectEverywhere(places, () => [{ request: { command, payload: {} }, expected }]);
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
