import { WebSocket } from "ws";

const WARM_UP_MS = 1_000;
const PING = JSON.stringify({ command: "ping", payload: {} });

/** Opens a WebSocket to a service's own URL. Messages that came with the upgrade are missed. */
export function openSocket(url: string, headers: Readonly<Record<string, string>> = {}): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`, { perMessageDeflate: false, headers });
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Counts the answers a second to `ping` over one WebSocket, with so many requests under way at a time. */
export async function pingsPerSecond(url: string, inFlight: number, seconds: number): Promise<number> {
  const socket = await openSocket(url);
  let answered = 0;
  socket.on("message", (data: Buffer) => {
    if (!data.includes('"pong":true')) return;
    answered++;
    socket.send(PING);
  });
  for (let sent = 0; sent < inFlight; sent++) socket.send(PING);
  await elapse(WARM_UP_MS);
  const before = answered;
  const elapsed = await elapse(seconds * 1000);
  socket.terminate();
  return (answered - before) / (elapsed / 1000);
}

/** Waits and tells how long it was in truth. */
async function elapse(milliseconds: number): Promise<number> {
  const start = performance.now();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return performance.now() - start;
}
