import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { programUrl } from "../measure/program-url.ts";
import type { MachinesOrder } from "../programs/hub-machines.ts";
import type { ExpectedSession, MachinesTask } from "./simulated-machines.ts";

/** Simulated machines in a process of their own. */
export class MachinesProcess {
  readonly #child: ChildProcess;
  readonly #waiting: { resolve(done: never): void; reject(error: Error): void }[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", (answer: { done: never } | { failed: string }) => {
      const waiting = this.#waiting.shift();
      if ("failed" in answer) waiting?.reject(new Error(answer.failed));
      else waiting?.resolve(answer.done);
    });
    child.once("exit", () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error("A process of machines has ended."));
    });
  }

  static async start(open: MachinesTask): Promise<MachinesProcess> {
    const machines = new MachinesProcess(fork(fileURLToPath(programUrl("hub-machines"))));
    await machines.#order({ open });
    return machines;
  }

  write(milliseconds: number): Promise<{ lines: number; rewrites: number }> {
    return this.#order({ write: milliseconds });
  }

  pending(): Promise<number> {
    return this.#order("pending");
  }

  expected(): Promise<ExpectedSession[]> {
    return this.#order("expected");
  }

  async close(): Promise<void> {
    await this.#order("close").catch(() => undefined);
    this.#child.kill("SIGKILL");
  }

  #order<Done>(order: MachinesOrder): Promise<Done> {
    return new Promise<Done>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#child.send(order);
    });
  }
}
