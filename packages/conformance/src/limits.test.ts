import { expect, it } from "vitest";
import { startRealService } from "./real-service.ts";
import { TestSocket } from "./test-socket.ts";

it("a message may be as large as session-manager.json says, and no byte more", async () => {
  await using service = await startRealService({ config: { limits: { message_bytes: 100 } } });
  await using socket = await TestSocket.open(service.url);
  const ofBytes = (bytes: number) => JSON.stringify({ command: "ping" }).padEnd(bytes);
  socket.send(ofBytes(100));
  expect(await socket.responses.first(() => true)).toMatchObject({ success: true });
  socket.send(ofBytes(101));
  expect(await socket.closed).toMatchObject({ code: 1009 });
});

it("as many commands of a connection run at a time as session-manager.json says", async () => {
  await using service = await startRealService({ config: { limits: { connection_commands: 1 } } });
  await using socket = await TestSocket.open(service.url);
  // With an id each answer goes out when it is there: in this order only if none of them runs beside another.
  const ids = Array.from({ length: 20 }, (_, index) => index);
  for (const id of ids) socket.send({ id, command: id % 2 === 0 ? "scan_sessions" : "ping" });
  await socket.responses.until((items) => items[ids.length - 1]);
  expect(socket.responses.items.map(({ id }) => id)).toEqual(ids);
});
