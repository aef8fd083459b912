import { createServer, request as forward } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { STRANGER } from "../transports.ts";

/** A proxy before the service, over which its visitors come from another machine. */
export interface WebProxy extends AsyncDisposable {
  url: string;
}

/** Starts a proxy that lets WebSockets through or, as some do, refuses them. */
export async function startWebProxy(target: string, options: { webSockets: boolean }): Promise<WebProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = "/" } = incoming;
    const forwarded = forward(new URL(url, target), { method, headers: { ...headers, ...STRANGER } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.on("upgrade", ({ url, rawHeaders }, socket) => {
    socket.on("error", () => socket.destroy());
    if (!options.webSockets) {
      socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    const fields = [...rawHeaders, ...Object.entries(STRANGER).flat()];
    const lines = Array.from({ length: fields.length / 2 }, (_, at) => `${fields[at * 2]}: ${fields[at * 2 + 1]}`);
    const upstream = connect(Number(port), hostname, () => {
      upstream.write([`GET ${url} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("close", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
