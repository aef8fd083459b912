import { spawn } from "node:child_process";
import { once } from "node:events";

/** Nobody's number, on Linux by convention. */
const NOBODY = 65_534;

/** Whether a test can be another account than its own. */
export const canBeNobody = process.platform === "linux" && process.getuid?.() === 0;
if (!canBeNobody) process.stderr.write("Tests of other accounts are skipped: they need Linux and root.\n");

/** Sends bytes over connections of their own, and gives what came until the other side closes or the end is there. */
const SCRIPT = `
const { connect } = require("node:net");
const { port, requests } = JSON.parse(process.argv[1]);
process.setgroups([]);
process.setgid(${NOBODY});
process.setuid(${NOBODY});
const send = ({ bytes, end }) => new Promise((resolve) => {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("error", () => {});
  socket.setEncoding("latin1").on("data", (text) => {
    received += text;
    if (end !== null && received.includes(end)) socket.destroy();
  });
  socket.on("close", () => resolve(received));
  socket.write(Buffer.from(bytes, "base64"));
});
Promise.all(requests.map(send)).then((answers) => process.stdout.write(JSON.stringify(answers)));
`;

export interface RawRequest {
  bytes: string | Buffer;
  /** A text after which the client leaves; it waits until the service closes if absent. */
  end?: string;
}

/** Sends requests from a process of another account, and gives the answers. */
export async function asNobody(url: string, requests: readonly RawRequest[]): Promise<string[]> {
  const input = {
    port: Number(new URL(url).port),
    requests: requests.map(({ bytes, end = null }) => ({ bytes: Buffer.from(bytes).toString("base64"), end })),
  };
  const child = spawn(process.execPath, ["-e", SCRIPT, JSON.stringify(input)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (said += text));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`The other account's process has ended with ${code}.`);
  return JSON.parse(said);
}
