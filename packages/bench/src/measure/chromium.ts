import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { WebSocket } from "ws";

type Fields = Record<string, unknown>;

interface Message {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: Fields;
  result?: Fields;
  error?: { message: string };
}

interface Waiting {
  resolve(result: Fields): void;
  reject(error: Error): void;
}

/** A Chromium of one's own, told what to do over its DevTools protocol. */
export class Chromium {
  readonly #process: ChildProcess;
  readonly #socket: WebSocket;
  readonly #kill: () => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, (method: string, params: Fields) => void>();
  #sent = 0;

  private constructor(program: ChildProcess, socket: WebSocket, kill: () => void) {
    this.#process = program;
    this.#socket = socket;
    this.#kill = kill;
    socket.on("message", (data: Buffer) => this.#take(JSON.parse(data.toString()) as Message));
    socket.on("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("Chromium has ended."));
    });
  }

  /**
   * Starts it with an empty profile; `null` where there is no Chromium.
   *
   * @throws when it ends before it listens.
   */
  static async start(profile: string): Promise<Chromium | null> {
    const program = (await spawned("chromium", profile)) ?? (await spawned("chromium-headless-shell", profile));
    if (program === null) return null;
    const kill = () => endGroup(program);
    process.once("exit", kill);
    for await (const line of createInterface({ input: program.stderr })) {
      const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (address === undefined) continue;
      program.stderr.resume();
      const socket = new WebSocket(address, { perMessageDeflate: false, maxPayload: 0 });
      await once(socket, "open");
      return new Chromium(program, socket, kill);
    }
    throw new Error("Chromium ended before it was listening.");
  }

  /** Opens an empty page that shares nothing with the others: neither cache nor storage. */
  async newPage(): Promise<ChromiumPage> {
    const { browserContextId } = await this.send("Target.createBrowserContext", {});
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const session = String(sessionId);
    const close = () => this.send("Target.disposeBrowserContext", { browserContextId }).then(() => undefined);
    const page = new ChromiumPage((method, params) => this.send(method, params, session), close);
    this.#listeners.set(session, (method, params) => page.take(method, params));
    await page.send("Page.enable");
    return page;
  }

  send(method: string, params: object, sessionId?: string): Promise<Fields> {
    const id = ++this.#sent;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    });
  }

  /** Ends it at once. */
  async stop(): Promise<void> {
    this.#socket.terminate();
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = once(this.#process, "exit");
      this.#kill();
      await exited;
    }
    // Whatever else has it open would keep this process waiting.
    this.#process.stderr?.destroy();
    process.off("exit", this.#kill);
  }

  #take({ id, sessionId = "", method, params = {}, result = {}, error }: Message): void {
    if (method !== undefined) this.#listeners.get(sessionId)?.(method, params);
    if (id === undefined) return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }
}

/** Starts a program with an empty profile; `null` where it is not installed. */
async function spawned(name: string, profile: string): Promise<ChildProcessByStdio<null, null, Readable> | null> {
  const program = spawn(
    name,
    [
      ...["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-smooth-scrolling"],
      ...["--window-size=1280,900", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
    ],
    // A group of its own: Debian starts the browser from a script, which does not hand on the signal that ends it.
    { stdio: ["ignore", "ignore", "pipe"], detached: true },
  );
  const hasStarted = await Promise.race([
    once(program, "spawn").then(() => true),
    once(program, "error").then(() => false),
  ]);
  return hasStarted ? program : null;
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Milliseconds for what a page does at most. */
const PATIENCE_MS = 120_000;

/** A page of a Chromium. */
export class ChromiumPage {
  /** Closes the page and forgets what it has stored. */
  readonly close: () => Promise<void>;
  readonly #send: (method: string, params: object) => Promise<Fields>;
  readonly #listeners = new Map<string, (params: Fields) => void>();

  constructor(send: (method: string, params: object) => Promise<Fields>, close: () => Promise<void>) {
    this.#send = send;
    this.close = close;
  }

  send(method: string, params: object = {}): Promise<Fields> {
    return this.#send(method, params);
  }

  /** Has the events of a name told to a listener, instead of the one before. */
  on(method: string, listener: (params: Fields) => void): void {
    this.#listeners.set(method, listener);
  }

  /** @internal */
  take(method: string, params: Fields): void {
    this.#listeners.get(method)?.(params);
  }

  /** Gives what an expression is, or what its promise becomes. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const { result, exceptionDetails } = (await this.#send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    })) as { result: { value: Value }; exceptionDetails?: { exception?: { description?: string }; text: string } };
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  /** Waits for a frame in which an expression is true. */
  async until(expression: string): Promise<void> {
    const holds = await this.evaluate<boolean>(`new Promise((resolve) => {
      const end = performance.now() + ${PATIENCE_MS};
      const look = () => {
        if (${expression}) resolve(true);
        else if (performance.now() > end) resolve(false);
        else requestAnimationFrame(look);
      };
      look();
    })`);
    if (!holds) throw new Error(`It did not come to this: ${expression}`);
  }
}
