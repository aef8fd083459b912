import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { WebSocket } from "ws";

const OPENING_TIMEOUT_MS = 60_000;

/** Milliseconds from the beginning of the navigation. */
export interface PageOpening {
  firstContentfulPaint: number;
  load: number;
}

interface Message {
  id?: number;
  method?: string;
  result?: Record<string, unknown>;
  params?: { name?: string; timestamp?: number };
}

/** Opens a page in a new Chromium, over its DevTools protocol; `null` where there is no Chromium. */
export async function openPage(url: string, profile: string): Promise<PageOpening | null> {
  const chromium = spawn("chromium", [
    ...["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1280,900"],
    ...["--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
  ]);
  const kill = () => chromium.kill("SIGKILL");
  process.once("exit", kill);
  try {
    const started = await Promise.race([
      once(chromium, "spawn").then(() => true),
      once(chromium, "error").then(() => false),
    ]);
    if (!started) return null;
    for await (const line of createInterface({ input: chromium.stderr })) {
      const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (address !== undefined) return await measure(address, url);
    }
    throw new Error("Chromium ended before it was listening.");
  } finally {
    if (chromium.pid !== undefined && chromium.exitCode === null) {
      const closed = once(chromium, "close");
      kill();
      await closed;
    }
    process.off("exit", kill);
  }
}

async function measure(address: string, url: string): Promise<PageOpening> {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const times = new Map<string, number>();
  const answers = new Map<number, (result: Record<string, unknown>) => void>();
  let next = 0;
  const opened = new Promise<PageOpening>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${url} was not open in time.`)), OPENING_TIMEOUT_MS);
    socket.once("close", () => clearTimeout(timer));
    socket.once("error", reject);
    socket.on("message", (data) => {
      const { id, method, result = {}, params = {} } = JSON.parse(String(data)) as Message;
      if (id !== undefined) answers.get(id)?.(result);
      if (method !== "Page.lifecycleEvent") return;
      const { name = "", timestamp = 0 } = params;
      // Each document begins with `init`: the empty one that was there before, too.
      if (name === "init") times.clear();
      times.set(name, timestamp * 1000);
      const [start, paint, load] = ["init", "firstContentfulPaint", "load"].map((event) => times.get(event));
      if (start === undefined || paint === undefined || load === undefined) return;
      resolve({ firstContentfulPaint: paint - start, load: load - start });
    });
  });
  const send = (method: string, params: object, sessionId?: string) =>
    new Promise<Record<string, unknown>>((resolve) => {
      answers.set(++next, resolve);
      socket.send(JSON.stringify({ id: next, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    });
  try {
    await once(socket, "open");
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const session = String(sessionId);
    await send("Page.enable", {}, session);
    await send("Page.setLifecycleEventsEnabled", { enabled: true }, session);
    times.clear();
    await send("Page.navigate", { url }, session);
    return await opened;
  } finally {
    socket.terminate();
  }
}
