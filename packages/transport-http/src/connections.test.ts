import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { trackConnections } from "./connections.ts";

it("a connection that ends is told so once, however many responses end meanwhile", async () => {
  const answering: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    connections.begin(response);
    answering.push(response);
  });
  const connections = trackConnections(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const newClient = async () => {
    const [[socket], client] = await Promise.all([once(server, "connection"), connect(port, "127.0.0.1").resume()]);
    return { socket, client };
  };
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));

  const idle = await newClient();
  for (let count = 0; count < 20; count++) {
    (await newClient()).client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  }
  await expect.poll(() => answering.length).toBe(20);
  const before = idle.socket.listenerCount("finish");
  const drained = connections.drain(5_000);
  for (const response of answering) response.end("x");
  await new Promise((resolve) => process.nextTick(resolve));
  expect(idle.socket.listenerCount("finish") - before).toBeLessThanOrEqual(1);
  await drained;
  expect(warnings).toEqual([]);
});
