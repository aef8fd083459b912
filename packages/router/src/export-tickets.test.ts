import { AppError, type ArchiveOptions, type ExportStream } from "@sm/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createExportTickets } from "./export-tickets.ts";

const OPTIONS: ArchiveOptions = {
  paths: ["/s/a.jsonl"],
  format: "json",
  include_thinking: true,
  include_tools: true,
  redact: false,
  theme: "system",
};

const NOT_FOUND = expect.objectContaining({ code: "NOT_FOUND", message: expect.stringContaining("export_sessions") });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Tickets for exports that are named after the first of their paths. */
function createTickets() {
  const tickets = createExportTickets({
    exportArchive: async ({ paths: [name = ""] }): Promise<ExportStream> => {
      if (name === "/missing.jsonl") throw new AppError("NOT_FOUND", "There is no session /missing.jsonl.");
      return { file_name: name, media_type: "application/zip", chunks: (async function* () {})() };
    },
  });
  const issue = async (name = "a.zip") => {
    const { url, expires_at } = await tickets.issue({ ...OPTIONS, paths: [name] });
    return { url, expires_at, ticket: new URLSearchParams(url.split("?")[1]).get("ticket") ?? "" };
  };
  return { tickets, issue };
}

describe("an export ticket", () => {
  it("is a relative URL that holds for a minute", async () => {
    vi.setSystemTime("2026-03-01T10:00:00.000Z");
    const { url, expires_at } = await createTickets().issue();
    expect(url).toMatch(/^\/api\/export\?ticket=[\w-]{43}$/);
    expect(expires_at).toBe("2026-03-01T10:01:00.000Z");
  });

  it("is never the same", async () => {
    const { issue } = createTickets();
    const urls = await Promise.all(Array.from({ length: 100 }, async () => (await issue()).url));
    expect(new Set(urls).size).toBe(100);
  });

  it("gives its export once, however often it is looked at before", async () => {
    const { tickets, issue } = createTickets();
    const first = await issue("first.zip");
    const second = await issue("second.zip");
    for (let count = 0; count < 3; count++) expect((await tickets.look(first.ticket)).file_name).toBe("first.zip");
    expect((await tickets.redeem(first.ticket)).file_name).toBe("first.zip");
    await expect(tickets.redeem(first.ticket)).rejects.toEqual(NOT_FOUND);
    await expect(tickets.look(first.ticket)).rejects.toEqual(NOT_FOUND);
    expect((await tickets.redeem(second.ticket)).file_name).toBe("second.zip");
  });

  it.each(["", "x", "__proto__", "A".repeat(43)])("is not guessed: %j", async (guess) => {
    const { tickets, issue } = createTickets();
    await issue();
    await expect(tickets.redeem(guess)).rejects.toEqual(NOT_FOUND);
  });

  it("expires after a minute, also while timers stand still", async () => {
    const { tickets, issue } = createTickets();
    const first = await issue();
    vi.advanceTimersByTime(59_999);
    expect(await tickets.look(first.ticket)).toBeDefined();
    vi.advanceTimersByTime(1);
    await expect(tickets.redeem(first.ticket)).rejects.toEqual(NOT_FOUND);
    const second = await issue();
    vi.setSystemTime(Date.now() + 60_000);
    await expect(tickets.redeem(second.ticket)).rejects.toEqual(NOT_FOUND);
  });

  it("leaves no timer behind, and keeps no process awake", async () => {
    const started: NodeJS.Timeout[] = [];
    const start = vi.spyOn(globalThis, "setTimeout");
    const { tickets, issue } = createTickets();
    const { ticket } = await issue();
    await issue();
    for (const { value } of start.mock.results) started.push(value as NodeJS.Timeout);
    expect(started.map((timer) => timer.hasRef())).toEqual([false, false]);
    await tickets.redeem(ticket);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("makes way for others when too many wait", async () => {
    const { tickets, issue } = createTickets();
    const issued = [];
    for (let count = 0; count < 17; count++) issued.push(await issue(`${count}.zip`));
    const [first, second] = issued;
    await expect(tickets.redeem(first?.ticket ?? "")).rejects.toEqual(NOT_FOUND);
    expect((await tickets.redeem(second?.ticket ?? "")).file_name).toBe("1.zip");
    expect(vi.getTimerCount()).toBe(15);
  });

  it("is not issued for an export that the library refuses", async () => {
    const { issue } = createTickets();
    await expect(issue("/missing.jsonl")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(vi.getTimerCount()).toBe(0);
  });
});
