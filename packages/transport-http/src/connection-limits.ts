import type { Server } from "node:http";
import type { DropArgument, Socket } from "node:net";
import type { Gate } from "@sm/router/access";

export interface ConnectionLimits {
  /** Maximum number of open connections; further ones are closed immediately. */
  connections: number;
  /** The same per remote address or IPv6 /64 network, except trusted proxies. */
  addressConnections: number;
}

/** A connection that was closed because of a limit. */
export interface RefusedConnection {
  /** `null` if unknown. */
  address: string | null;
  limit: keyof ConnectionLimits;
}

/** One of this many connections is reserved for local clients. */
const LOCAL_SHARE = 8;

/**
 * Limits the connections of a server, so that no client can use all of them, and remote clients cannot lock out local
 * ones.
 */
export function limitConnections(
  server: Server,
  { connections, addressConnections }: ConnectionLimits,
  gate: Pick<Gate, "registerConnection" | "peer">,
  onRefused: (refused: RefusedConnection) => void,
): void {
  const forOthers = Math.max(1, connections - Math.ceil(connections / LOCAL_SHARE));
  const counted = new WeakSet<Socket>();
  const byGroup = new Map<string, number>();
  let others = 0;

  server.maxConnections = connections;
  server.on("drop", (drop?: DropArgument) => onRefused({ address: drop?.remoteAddress ?? null, limit: "connections" }));
  server.on("connection", (socket: Socket) => {
    // Immediately: the account of a client that has disconnected cannot be determined.
    const unknown = gate.registerConnection(socket);
    if (unknown === null) count(socket);
    else void unknown.then(() => count(socket));
  });

  function count(socket: Socket): void {
    // Replayed connections (after an ignored upgrade) are emitted twice.
    if (counted.has(socket) || socket.destroyed) return;
    const { local, group } = gate.peer(socket);
    if (local) return;
    const ofGroup = group === null ? 0 : (byGroup.get(group) ?? 0);
    const limit = ofGroup >= addressConnections ? "addressConnections" : others >= forOthers ? "connections" : null;
    if (limit !== null) {
      onRefused({ address: socket.remoteAddress ?? null, limit });
      socket.destroy();
      return;
    }
    counted.add(socket);
    others += 1;
    if (group !== null) byGroup.set(group, ofGroup + 1);
    socket.once("close", () => {
      others -= 1;
      if (group === null) return;
      const left = (byGroup.get(group) ?? 1) - 1;
      if (left === 0) byGroup.delete(group);
      else byGroup.set(group, left);
    });
  }
}
