import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Gate } from "@sm/router/access";
import type { HttpOptions } from "./options.ts";

/** Hop-by-hop headers and headers of the ignored upgrade. */
const DROPPED = new Set(["connection", "http2-settings", "upgrade"]);

/**
 * Passes WebSocket handshakes to `onUpgrade`. Ignores other protocol upgrades, as RFC 9110 allows: Java's HTTP client
 * and `curl --http2` offer `h2c` with every first request, even with a POST.
 */
export function serveUpgrades(
  server: Server,
  onUpgrade: NonNullable<HttpOptions["onUpgrade"]>,
  gate: Pick<Gate, "registerConnection">,
): void {
  server.on("upgrade", (request, socket, head) => {
    if (request.headers.upgrade?.toLowerCase() !== "websocket") return replay(server, request, socket, head);
    const unknown = gate.registerConnection(request.socket);
    if (unknown === null) return onUpgrade(request, socket, head);
    // Node has removed its own listeners.
    const onError = () => socket.destroy();
    socket.on("error", onError);
    void unknown.then(() => {
      socket.off("error", onError);
      onUpgrade(request, socket, head);
    });
  });
}

/** Node has detached the connection and cannot resume it: emit it again, without the upgrade headers. */
function replay(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (!DROPPED.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  if (/\bclose\b/i.test(request.headers.connection ?? "")) lines.push("Connection: close");
  // Node reads headers as Latin-1.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}
