import { ServiceSocket } from "../measure/service-socket.ts";

// Reads a terminal that floods, in a process of its own, so that its work is not that of the bench.

const [url = "", shell = ""] = process.argv.slice(2);
const socket = await ServiceSocket.open(url);
let received = 0;
socket.onEvent = ({ event, payload }) => {
  if (event === "terminal-output") received += String(payload.data).length;
};
process.on("message", () => process.send?.(received));
await socket.command("create_terminal", { cwd: "/", shell });
process.send?.(received);
