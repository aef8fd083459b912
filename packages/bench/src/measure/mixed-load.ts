import { Agent } from "node:http";
import type { SessionRecord } from "@sm/core";
import { Random } from "../corpus/random.ts";
import { COMMON_WORDS } from "../corpus/words.ts";
import { drainAnswer, exportOf, type Request } from "./drain-answer.ts";

/** Large sessions come up as often as others: a client that reads them costs most. */
const LARGEST = 20;

/** Clients that list, search, read, export and measure at the same time, each one request at a time. */
export class MixedLoad {
  readonly #url: string;
  readonly #paths: readonly string[];
  readonly #largest: readonly string[];

  constructor(url: string, records: readonly SessionRecord[]) {
    this.#url = url;
    this.#paths = records.map(({ path }) => path);
    const bySize = [...records].sort((a, b) => b.size_bytes - a.size_bytes);
    this.#largest = bySize.slice(0, LARGEST).map(({ path }) => path);
  }

  /** Gives the number of answers. Rejects when a request fails. */
  async run(clients: number, milliseconds: number): Promise<number> {
    const end = performance.now() + milliseconds;
    const answers = Array.from({ length: clients }, (_, client) => this.#runClient(new Random(client), end));
    return (await Promise.all(answers)).reduce((sum, count) => sum + count, 0);
  }

  async #runClient(random: Random, end: number): Promise<number> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let answers = 0;
    while (performance.now() < end) {
      await drainAnswer(this.#url, agent, this.#request(random));
      answers++;
    }
    agent.destroy();
    return answers;
  }

  #request(random: Random): Request {
    const path = random.pick(random.chance(0.2) ? this.#largest : this.#paths);
    const word = random.pick(COMMON_WORDS);
    const command = (name: string, payload: object): Request => ({ command: name, payload });
    const kind = random.fraction();
    if (kind < 0.3) return command("search", { query: word });
    if (kind < 0.55) return command("list_sessions", random.chance(0.5) ? { query: word } : { sort: "cost" });
    if (kind < 0.8) return command("read_session_entries", { path });
    if (kind < 0.86) return command("find_in_session", { path, query: word });
    if (kind < 0.91) return command("read_session_tree", { path });
    if (kind < 0.95) return exportOf(path);
    if (kind < 0.98) return command("get_session_stats", {});
    if (kind < 0.99) return command("read_session_file", { path });
    return command("scan_sessions", {});
  }
}
