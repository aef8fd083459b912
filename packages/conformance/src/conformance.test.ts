import { AppError, ERROR_STATUS, type ErrorCode } from "@sm/core";
import { type CommandResponse, registry, type Services } from "@sm/router";
import { describe, expect, it } from "vitest";
import { type CommandCase, cases } from "./cases.ts";
import { sampleLibrary } from "./sample-library.ts";
import { startTestServer } from "./test-server.ts";
import { type Transport, transports, type Visitor } from "./transports.ts";

/** No field of any command takes an object of this kind. */
const WRONG = { wrong: true };

const requestsOf = (command: string, { required, optional }: CommandCase) => {
  const full = { ...required, ...optional };
  const without = (field: string) => Object.fromEntries(Object.entries(full).filter(([name]) => name !== field));
  return {
    valid: [
      { command, payload: full },
      { command, payload: required },
      ...Object.keys(optional).map((field) => ({ command, payload: without(field) })),
    ],
    invalid: [
      ...Object.keys(required).map((field) => ({ field, request: { command, payload: without(field) } })),
      ...Object.keys(full).map((field) => ({ field, request: { command, payload: { ...full, [field]: WRONG } } })),
      { field: "unknown_field", request: { command, payload: { ...full, unknown_field: 1 } } },
      { field: "", request: { command, payload: [] } },
      { field: "", request: { command, payload: "text" } },
    ],
  };
};

/** Sends requests one after the other to a server of their own. */
async function conversation(
  transport: Transport,
  requests: unknown[],
  { services = { sessions: sampleLibrary() }, visitor = "owner" }: { services?: Services; visitor?: Visitor } = {},
): Promise<CommandResponse[]> {
  await using server = await startTestServer(services);
  const responses = [];
  for (const request of requests) responses.push(await transport.call(server, request, visitor));
  expect(server.defects).toEqual([]);
  return responses;
}

const commands = [...registry.keys()].map((name) => ({ name, case: cases[name] ?? { required: {}, optional: {} } }));

describe("the suite", () => {
  it("has a case for every command, and for no other", () => {
    expect(Object.keys(cases).sort()).toEqual([...registry.keys()].sort());
  });

  it.each(commands)("knows every field of $name", ({ name, case: { required, optional } }) => {
    const input = registry.get(name)?.input as { entries?: object };
    expect(Object.keys({ ...required, ...optional }).sort()).toEqual(Object.keys(input.entries ?? {}).sort());
  });
});

describe.each(transports)("$name", (transport) => {
  describe.each(commands)("$name", ({ name, case: commandCase }) => {
    const { valid, invalid } = requestsOf(name, commandCase);

    it("answers valid payloads as its schema says", async () => {
      const responses = await conversation(transport, valid);
      for (const [index, response] of responses.entries()) {
        expect(response, JSON.stringify(valid[index])).toMatchObject({ success: true, error: null });
        const checked = await registry.get(name)?.output["~standard"].validate(response.data);
        expect(checked?.issues).toBeUndefined();
      }
    });

    it("rejects payloads with a missing, wrong or extra field, and names the field", async () => {
      const responses = await conversation(
        transport,
        invalid.map(({ request }) => request),
      );
      for (const [index, response] of responses.entries()) {
        expect(response, JSON.stringify(invalid[index])).toMatchObject({
          success: false,
          data: null,
          error: { code: "INVALID_PAYLOAD", details: [{ path: invalid[index]?.field, message: expect.any(String) }] },
        });
      }
    });

    it("asks a stranger for a token", async () => {
      const [response] = await conversation(transport, [valid[0]], { visitor: "stranger" });
      expect(response).toMatchObject({ success: false, data: null, error: { code: "UNAUTHORIZED", details: null } });
    });
  });

  it.each([[null], [[]], ["ping"], [{}], [{ command: null }], [{ payload: {} }]])(
    "calls %j no request",
    async (request) => {
      const [response] = await conversation(transport, [request]);
      expect(response).toMatchObject({ success: false, data: null, error: { code: "INVALID_REQUEST" } });
    },
  );

  it.each([
    ["pnig", "ping"],
    ["scan_session", "scan_sessions"],
    ["__proto__", ""],
    ["constructor", ""],
  ])("does not know the command %s", async (command, nearest) => {
    const [response] = await conversation(transport, [{ command, payload: {} }]);
    expect(response).toMatchObject({ error: { code: "UNKNOWN_COMMAND", message: expect.stringContaining(nearest) } });
  });

  it.each(Object.keys(ERROR_STATUS) as ErrorCode[])("hands on %s from a service", async (code) => {
    const details = code === "UNAVAILABLE" ? { retry_after_ms: 100 } : null;
    const services = {
      sessions: { ...sampleLibrary(), scan: () => Promise.reject(new AppError(code, "No.", { details })) },
    };
    const [response] = await conversation(transport, [{ command: "scan_sessions" }], { services });
    expect(response).toEqual({ success: false, data: null, error: { code, message: "No.", details } });
  });

  it("hides the cause of a defect", async () => {
    const services = { sessions: { ...sampleLibrary(), scan: () => Promise.reject(new Error("secret")) } };
    await using server = await startTestServer(services);
    const response = await transport.call(server, { command: "scan_sessions" }, "owner");
    expect(response.error).toMatchObject({ code: "INTERNAL", message: expect.not.stringContaining("secret") });
    expect(server.defects).toHaveLength(1);
  });
});

const [reference, ...others] = transports;

describe.each(others)(`$name answers byte for byte as ${reference?.name}`, (transport) => {
  it.each(commands)("$name", async ({ name, case: commandCase }) => {
    const { valid, invalid } = requestsOf(name, commandCase);
    const requests = [...valid, ...invalid.map(({ request }) => request), { command: `${name}_` }];
    const text = (responses: CommandResponse[]) => responses.map(({ data, error }) => JSON.stringify({ data, error }));
    expect(text(await conversation(transport, requests))).toEqual(
      text(await conversation(reference as Transport, requests)),
    );
  });
});
