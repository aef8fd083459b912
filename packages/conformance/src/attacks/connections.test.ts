import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postJson } from "../raw-http.ts";
import { type RealService, startRealService } from "../real-service.ts";

// Another machine that opens connections and says nothing: here, this one by its address in the network.

const STRANGER = Object.values(networkInterfaces())
  .flatMap((some) => some ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
if (STRANGER === undefined) process.stderr.write("A test is skipped because this machine has no address.\n");

let service: RealService;

beforeAll(async () => {
  service = await startRealService({
    config: { bind_addr: "0.0.0.0", limits: { connections: 1_024, address_connections: 100 } },
    expectedProblems: ["A connection was closed because too many are open."],
  });
});

afterAll(() => service[Symbol.asyncDispose]());

describe.skipIf(STRANGER === undefined)("1,100 silent connections of one stranger", () => {
  it("do not lock out who is on this machine, and do not get more than their share", async () => {
    const port = Number(new URL(service.url).port);
    const open = new Set<Socket>();
    try {
      for (let count = 0; count < 1_100; count++) {
        await new Promise<void>((resolve) => {
          const socket = connect({ port, host: STRANGER as string }, resolve);
          open.add(socket);
          socket
            .on("error", () => {})
            .on("close", () => {
              open.delete(socket);
              resolve();
            });
        });
      }
      expect(await postJson(service.url)).toMatchObject({ status: 200 });
      await expect.poll(() => open.size).toBeLessThanOrEqual(100);
      const warnings = service.log.map((line) => JSON.parse(line)).filter(({ level }) => level === "warn");
      expect(warnings).toMatchObject([{ address: STRANGER, setting: "limits.address_connections" }]);
    } finally {
      for (const socket of open) socket.destroy();
    }
  });
});
