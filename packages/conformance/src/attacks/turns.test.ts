import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PATIENT } from "../patient.ts";
import { head, sendRequest } from "../raw-http.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { TestSocket } from "../test-socket.ts";
import { STRANGER } from "../transports.ts";

// Work that nobody waits for any more, and clients who ask for all that there is. Tasks are counted, not time: every
// search takes some 50 ms, since no index can tell whether its words stand behind each other.

const SLOW = { query: '~"water over the moor" -nothing' };

let service: RealService;
let token: string;

beforeAll(async () => {
  service = await startRealService();
  const lines: object[] = [
    { type: "session", version: 3, id: "slow", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/" },
  ];
  for (let n = 0; n < 3_000; n++) {
    const content = `${"water moor over the ".repeat(100)}${n}`;
    const parentId = n === 0 ? null : `s${n - 1}`;
    const timestamp = new Date(1_770_000_000_000 + n).toISOString();
    lines.push({ type: "message", id: `s${n}`, parentId, timestamp, message: { role: "user", content } });
  }
  await service.home.add("slow", lines);
  await service.settled();
  ({ token } = await service.ask<{ token: string }>("create_token", { name: "attacker", scope: "read" }));
});

afterAll(() => service[Symbol.asyncDispose]());

const attacker = () => ({ ...STRANGER, Authorization: `Bearer ${token}` });

/** How many searches have ended with this code. */
async function searches(code: string): Promise<number> {
  const { body } = await sendRequest(`${service.url}/metrics`);
  return Number(
    new RegExp(`^session_manager_commands_total\\{command="search",code="${code}"\\} (\\d+)$`, "m").exec(body)?.[1] ??
      0,
  );
}

/** Counts the searches that the service makes until the user's own one is answered. */
async function searchesUntilAnswered(): Promise<number> {
  const before = await searches("OK");
  await service.ask("search", SLOW);
  return (await searches("OK")) - before;
}

/** Two that are handed over, one whose turn it is, the user's own, and some for what was under way. */
const FEW = 8;

/** Sends a search on each of so many connections of the attacker, who may read what comes. */
function askOverHttp(count: number, onAnswer = (_text: string): void => {}): Socket[] {
  const { port } = new URL(service.url);
  const body = JSON.stringify({ command: "search", payload: SLOW });
  const type = { "Content-Type": "application/json", "Content-Length": `${body.length}` };
  return Array.from({ length: count }, () => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(head("POST /api HTTP/1.1", { ...attacker(), ...type }) + body);
    return socket.setEncoding("utf8").on("data", onAnswer);
  });
}

describe("200 searches that nobody waits for any more", () => {
  it("over HTTP, each on a connection of its own → cancelled, and the next search is answered at once", async () => {
    const cancelled = await searches("CANCELLED");
    const answers: string[] = [];
    const sockets = askOverHttp(200, (text) => answers.push(text));
    // Once one is answered, others wait for their turn. A request whose client leaves before it is read never starts.
    await expect.poll(() => answers.length, PATIENT).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
    expect(await searchesUntilAnswered()).toBeLessThan(FEW);
    await expect.poll(() => searches("CANCELLED"), PATIENT).toBeGreaterThan(cancelled);
  });

  it("over one WebSocket → cancelled, and the next search is answered at once", async () => {
    const cancelled = await searches("CANCELLED");
    await using socket = await TestSocket.open(service.url, { headers: attacker() });
    for (let id = 0; id < 200; id++) socket.send({ id, command: "search", payload: SLOW });
    socket.send({ id: "last", command: "ping" });
    await socket.responses.first(({ id }) => id === "last");
    const answered = socket.responses.items.length;
    socket.socket.terminate();
    expect(await searchesUntilAnswered()).toBeLessThan(FEW);
    await expect.poll(() => searches("CANCELLED"), PATIENT).toBeGreaterThan(cancelled + 190 - answered);
  });
});

describe("a client who asks for all that there is", () => {
  it("256 searches on one WebSocket → the others take turns with them", async () => {
    await using socket = await TestSocket.open(service.url, { headers: attacker() });
    for (let id = 0; id < 256; id++) socket.send({ id, command: "search", payload: SLOW });
    await socket.responses.first(() => true);
    expect(await searchesUntilAnswered()).toBeLessThan(FEW);
    // Nobody else has taken their place.
    expect(socket.responses.items.length).toBeLessThan(128);
  });

  it("600 searches at once over HTTP → what is too much is refused, with the time to come again", async () => {
    const answers: string[] = [];
    const sockets = askOverHttp(600, (text) => answers.push(text));
    try {
      // All but those that are at work, those that may wait, and some that were answered meanwhile.
      await expect.poll(() => answers.filter(isRefusal).length, PATIENT).toBeGreaterThan(100);
      expect(await searchesUntilAnswered()).toBeLessThan(FEW);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

function isRefusal(answer: string): boolean {
  return answer.startsWith("HTTP/1.1 503") && /^Retry-After: 1\r$/im.test(answer) && answer.includes('"UNAVAILABLE"');
}
