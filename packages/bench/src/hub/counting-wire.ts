import { connect, createServer, type Server, type Socket } from "node:net";

/** A TCP connection to a server on this machine that counts what goes through. */
export class CountingWire {
  /** Of both directions, so far. */
  bytes = 0;
  readonly url: string;
  readonly #server: Server;
  readonly #open: Set<Socket>;

  private constructor(server: Server, port: number, open: Set<Socket>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    this.#open = open;
  }

  static async to(target: string): Promise<CountingWire> {
    const { port } = new URL(target);
    const open = new Set<Socket>();
    const count = (chunk: Buffer) => {
      wire.bytes += chunk.length;
    };
    const server = createServer((client) => {
      const service = connect({ host: "127.0.0.1", port: Number(port), noDelay: true });
      client.setNoDelay(true);
      for (const [from, to] of [
        [client, service],
        [service, client],
      ] as const) {
        open.add(from);
        from.on("data", count).on("error", () => to.destroy());
        from.on("close", () => open.delete(from));
        from.pipe(to);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The wire has no port.");
    const wire = new CountingWire(server, address.port, open);
    return wire;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }
}
