import type { Server } from "node:http";
import type { DropArgument, Socket } from "node:net";
import type { Gate } from "@sm/router/access";

export interface ConnectionLimits {
  /** Connections at a time, whatever they are used for; further ones are closed as they come. */
  connections: number;
  /** The same for each address of other machines that is not a trusted proxy, and each IPv6 network of 64 bits. */
  addressConnections: number;
}

/** A connection that was closed as it came. */
export interface RefusedConnection {
  /** `null` where it is not known. */
  address: string | null;
  limit: keyof ConnectionLimits;
}

/** One in so many is kept for this machine. */
const LOCAL_SHARE = 8;

/**
 * Bounds the connections of a server, so that no client takes it from the others, and other machines together do not
 * take it from its owner.
 */
export function limitConnections(
  server: Server,
  { connections, addressConnections }: ConnectionLimits,
  gate: Pick<Gate, "meet" | "peer">,
  onRefused: (refused: RefusedConnection) => void,
): void {
  const forOthers = Math.max(1, connections - Math.ceil(connections / LOCAL_SHARE));
  const counted = new WeakSet<Socket>();
  const byGroup = new Map<string, number>();
  let others = 0;

  server.maxConnections = connections;
  server.on("drop", (drop?: DropArgument) => onRefused({ address: drop?.remoteAddress ?? null, limit: "connections" }));
  server.on("connection", (socket: Socket) => {
    // As early as can be: of a client that has left already the account cannot be told.
    const unknown = gate.meet(socket);
    if (unknown === null) count(socket);
    else void unknown.then(() => count(socket));
  });

  function count(socket: Socket): void {
    // One that has offered to upgrade comes twice.
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
