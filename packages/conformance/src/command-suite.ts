import { basename } from "node:path";
import type { ErrorCode } from "@sm/core";
import { type CommandResponse, registry } from "@sm/router";
import { describe, expect, it } from "vitest";
import { cases } from "./cases.ts";
import type { CaseService, CommandCase } from "./command-case.ts";
import { type HubAnswer, type HubRefusal, type HubVariant, hubAnswers } from "./hub-answers.ts";
import { type Transport, transports, type Visitor } from "./transports.ts";

/** Where commands are sent, and how. */
export interface Place {
  transport: Transport;
  service: CaseService;
  /** Who owns the sessions. */
  owner: Visitor;
  /** On a hub, the machine that has sent them; `null` at home. */
  machineId: string | null;
}

/** A request, and what its answer must have. */
export interface Exchange {
  request: unknown;
  expected: object;
  /** What a hub answers beside a service at home; default: the same. */
  onHub?: "same" | "own" | "any" | NonNullable<HubVariant["instead"]>;
}

/** What is asked of one place, and whether all places answer the same. */
type ExchangesAt = (place: Place) => Exchange[] | Promise<Exchange[]>;

export interface EverywhereOptions {
  visitor?: "owner" | "stranger";
  over?: readonly Transport[];
}

/** No field of any command takes an object of this kind. */
const WRONG = { wrong: true };

const started = Date.now();

/** Sends the same requests to every place: the answers have to be as expected, as their schema says, and equal. */
export async function expectEverywhere(
  places: readonly Place[],
  exchangesAt: ExchangesAt,
  { visitor = "owner", over = transports }: EverywhereOptions = {},
): Promise<void> {
  const texts = { shared: [] as string[], ofHubs: [] as string[] };
  for (const place of places.filter(({ transport }) => over.includes(transport))) {
    const { transport, service, owner } = place;
    for (const [index, { request, expected, onHub = "same" }] of (await exchangesAt(place)).entries()) {
      const response = await transport.call(service.url, request, visitor === "owner" ? owner : visitor);
      const label = `${JSON.stringify(request)} over ${transport.name}${place.machineId === null ? "" : ", on a hub"}`;
      expect(response, label).toMatchObject(expected);
      expect(response.error?.code, label).not.toBe("INTERNAL");
      if (response.success) await expectSchema(request, response.data);
      const text = comparable(response, place);
      if (onHub === "any") continue;
      const others = place.machineId !== null && onHub !== "same" ? texts.ofHubs : texts.shared;
      const asked = texts.shared[index];
      if (typeof onHub === "function" && asked !== undefined) texts.ofHubs[index] = changed(asked, onHub);
      others[index] ??= text;
      // Tells what differs; the texts alone would be a line of thousands of characters.
      expect(JSON.parse(text), label).toEqual(JSON.parse(others[index]));
      expect(text, label).toBe(others[index]);
    }
  }
}

/** An answer of a service at home as a hub gives it. */
function changed(text: string, instead: NonNullable<HubVariant["instead"]>): string {
  const { data, error } = JSON.parse(text);
  return JSON.stringify({ data: error === null ? instead(data) : data, error });
}

function answerOf(command: string): HubAnswer {
  return hubAnswers[command as keyof typeof hubAnswers];
}

async function expectSchema(request: unknown, data: unknown): Promise<void> {
  const command = registry.get((request as { command: string }).command);
  const checked = await command?.output["~standard"].validate(data);
  expect(checked?.issues, JSON.stringify(request)).toBeUndefined();
}

/**
 * An answer as text, without what differs between two copies of a home: the folder, new ids and tokens, clocks,
 * processes, progress, sizes and rows of databases, and scores, which depend on how sessions were spread over the text
 * databases. Agents that the service does not control belong to somebody else. On a hub, paths are below the machine's,
 * and what needs the machine cannot be done.
 */
function comparable({ data, error }: CommandResponse, { service: { home }, machineId }: Place): string {
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
    if (key === "capabilities") return withoutMachine(value as object, machineId !== null);
    // Which one has sent it; in the schema of a command, an object.
    if (key === "machine" && typeof value === "string" && machineId !== null) return null;
    if (typeof value === "number" && value >= started) return "<now>";
    return Array.isArray(value) ? value.filter((item) => item?.controllable !== false) : value;
  };
  return JSON.stringify({ data, error }, simplify)
    .replaceAll(machineId === null ? "/machines/none" : `/machines/${machineId}`, "")
    .replaceAll(home.folder, "<home>")
    .replaceAll(basename(home.folder), "<name>")
    .replace(/\bcopy-\d+/g, "<copy>")
    .replace(/models-[\dTZ-]+\.json/g, "<new backup>")
    .replace(/[\dT-]+Z_[\da-f]{8}-[\da-f-]{27}/g, "<new file>")
    .replace(/[\da-f]{8}-[\da-f-]{27}|\b[\da-f]{32}\b/g, "<new id>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (Date.parse(time) < started ? time : "<now>"));
}

/** What can be done with a session without its machine. A hub says that nothing else can. */
function withoutMachine(capabilities: object, isOnHub: boolean) {
  // In the schema of a command.
  if ("properties" in capabilities) return capabilities;
  if (isOnHub) expect(capabilities).toMatchObject({ fork: false, delete: false, start: false });
  return { ...capabilities, fork: null, delete: null, start: null };
}

function refusal({ code, message }: HubRefusal): Omit<Exchange, "request"> {
  return { expected: failureOf(code, { message, details: null }), onHub: "own" };
}

export function failureOf(code: ErrorCode, error: object = { details: null }): object {
  return { success: false, data: null, error: { code, ...error } };
}

/** Reading commands first, so that they find the home as it was written; agents write to it. */
const ORDER = ["read", "write", "control"];
const commands = [...registry]
  .map(([name, command]) => ({ name, command }))
  .sort((a, b) => ORDER.indexOf(a.command.access) - ORDER.indexOf(b.command.access));

/** Tests every command at every place. The first of them is at home. */
export function describeCommands(places: () => readonly Place[]): void {
  it("has a case for every command, and for no other, and says what a hub answers", () => {
    expect(Object.keys(cases).sort()).toEqual([...registry.keys()].sort());
    expect(Object.keys(hubAnswers).sort()).toEqual([...registry.keys()].sort());
  });

  describe.each(commands)("$name", ({ name, command }) => {
    const caseFor = async (service: CaseService): Promise<CommandCase> =>
      (await cases[name]?.(service)) ?? { required: {}, optional: {} };
    let ofHome: Promise<CommandCase> | undefined;

    /** A hub is asked for what is on machines with what is there at home. */
    const caseAt = ({ machineId, service }: Place): Promise<CommandCase> => {
      const answer = machineId === null ? "same" : answerOf(name);
      if (typeof answer === "string" || !("code" in answer) || answer.code !== "UNAVAILABLE") return caseFor(service);
      ofHome ??= caseFor(places()[0]?.service ?? service);
      return ofHome;
    };

    const made = new Map<Place, Promise<CommandCase>>();

    /** For requests that change nothing. */
    const anyCaseAt = (place: Place): Promise<CommandCase> => {
      const known = made.get(place) ?? caseAt(place);
      made.set(place, known);
      return known;
    };

    /** What a good payload with these optional fields gets. */
    const expectedAt = (
      { machineId }: Place,
      fields: readonly string[],
      fails?: ErrorCode,
    ): Omit<Exchange, "request"> => {
      const answer = machineId === null ? "same" : answerOf(name);
      const expected = fails === undefined ? { success: true, error: null } : failureOf(fails);
      if (answer === "same") return { expected };
      if (answer === "own") return { expected: {}, onHub: "any" };
      if ("code" in answer) return refusal(answer);
      if ("data" in answer) return { expected: { ...expected, data: answer.data }, onHub: "own" };
      if (fields.some((field) => answer.others?.includes(field))) return { expected: {}, onHub: "any" };
      const refused = fields.flatMap((field) => answer.refused?.[field] ?? [])[0];
      if (refused !== undefined) return refusal(refused);
      return { expected, onHub: answer.instead ?? "same" };
    };

    it("has a case with every field of its payload", async () => {
      const input = command.input as { entries?: object };
      for (const place of places()) {
        const { required, optional, instead = [] } = await anyCaseAt(place);
        expect([...Object.keys({ ...required, ...optional }), ...instead].sort()).toEqual(
          Object.keys(input.entries ?? {}).sort(),
        );
      }
    });

    it("answers the smallest payload, each optional field alone, and all fields together", async () => {
      await expectEverywhere(places(), async (place) => {
        const fields = Object.keys((await anyCaseAt(place)).optional);
        const choices = fields.length === 0 ? [[]] : [[], ...fields.map((field) => [field]), fields];
        const exchanges: Exchange[] = [];
        for (const choice of choices) {
          const { required, optional, fails } = await caseAt(place);
          const payload = { ...required, ...Object.fromEntries(choice.map((field) => [field, optional[field]])) };
          exchanges.push({ request: { command: name, payload }, ...expectedAt(place, choice, fails) });
        }
        return exchanges;
      });
    });

    it("rejects payloads with a missing, wrong or extra field, and names the field", async () => {
      await expectEverywhere(places(), async (place) => {
        const { required, optional, wrong = {} } = await anyCaseAt(place);
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
        const answer = place.machineId === null ? "same" : answerOf(name);
        const isAbsent = typeof answer !== "string" && "code" in answer && answer.isAbsent;
        return faults.map(({ path, payload }) => {
          const request = { command: name, payload };
          if (isAbsent) return { request, ...refusal(answer) };
          const details = [{ path, message: expect.any(String) }];
          return { request, expected: failureOf("INVALID_PAYLOAD", { details }) };
        });
      });
    });

    it("asks a stranger for a token", async () => {
      const over = transports.filter(({ pingsStrangers }) => !(name === "ping" && pingsStrangers));
      await expectEverywhere(
        places(),
        async (place) => {
          const request = { command: name, payload: (await anyCaseAt(place)).required };
          return [{ request, expected: failureOf("UNAUTHORIZED") }];
        },
        { visitor: "stranger", over },
      );
    });
  });

  it.each(["html", "markdown", "json"].flatMap((format) => [false, true].map((redact) => ({ format, redact }))))(
    "exports %j alike everywhere and as a download",
    async (manner) => {
      await expectEverywhere(places(), ({ service: { home } }) => {
        const request = { command: "export_session", payload: { path: home.paths.branched, ...manner } };
        const redactions = manner.redact ? [{ type: "user", count: 1 }] : null;
        return [{ request, expected: { success: true, data: { format: manner.format, redactions } } }];
      });
      for (const { service, owner } of places()) {
        const path = service.home.paths.branched;
        const exported = await service.ask<{ content: string; file_name: string }>("export_session", {
          path,
          ...manner,
        });
        const query = new URLSearchParams({ path, format: manner.format, redact: `${manner.redact}` });
        const headers = typeof owner === "object" ? { Authorization: `Bearer ${owner.token}` } : {};
        const download = await fetch(`${service.url}/api/export?${query}`, { headers });
        expect(await download.text()).toBe(exported.content);
        expect(download.headers.get("content-disposition")).toContain(`filename="${exported.file_name}"`);
      }
    },
  );

  it("answers ping to strangers over WebSocket, before they authenticate", async () => {
    const over = transports.filter(({ pingsStrangers }) => pingsStrangers);
    const expected = { success: true, data: { pong: true } };
    await expectEverywhere(places(), () => [{ request: { command: "ping" }, expected }], { visitor: "stranger", over });
  });
}
