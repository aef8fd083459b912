import { connect, type Socket } from "node:net";

const SOCKETS = 16;
const WARM_UP_MS = 1_000;
const HEADER_END = "\r\n\r\n";

/**
 * Counts the answers a second to one request that is repeated over kept connections, the next one sent when the last is
 * answered. Speaks HTTP/1.1 by hand: a full client would be slower than the servers it measures.
 *
 * @throws when an answer has no `Content-Length` or another status than 200.
 */
export async function requestsPerSecond(url: string, body: string, seconds: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const head = [
    "POST /api HTTP/1.1",
    `Host: ${hostname}:${port}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ].join("\r\n");
  const message = Buffer.from(head + HEADER_END + body);
  let answered = 0;
  let countFrom = Number.POSITIVE_INFINITY;
  let running = true;
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => open(hostname, Number(port))));
  const loops = sockets.map((socket) =>
    repeat(socket, message, () => {
      if (performance.now() >= countFrom) answered++;
      return running;
    }),
  );
  const clock = new Promise<number>((resolve) => {
    setTimeout(() => {
      countFrom = performance.now();
      setTimeout(() => {
        running = false;
        resolve(performance.now() - countFrom);
      }, seconds * 1000);
    }, WARM_UP_MS);
  });
  const [elapsed] = await Promise.all([clock, ...loops]);
  return answered / (elapsed / 1000);
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Sends `message` again and again until `onAnswer` says no. */
function repeat(socket: Socket, message: Buffer, onAnswer: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = "";
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.on("data", (chunk: Buffer) => {
      // One character a byte, so that lengths are those of the header.
      received += chunk.toString("latin1");
      const headEnd = received.indexOf(HEADER_END);
      if (headEnd < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
      if (length === undefined || !received.startsWith("HTTP/1.1 200")) {
        socket.destroy(new Error(`Unexpected answer: ${received.slice(0, 300)}`));
        return;
      }
      if (received.length < headEnd + HEADER_END.length + Number(length)) return;
      received = "";
      if (onAnswer()) socket.write(message);
      else socket.destroy();
    });
    socket.write(message);
  });
}
