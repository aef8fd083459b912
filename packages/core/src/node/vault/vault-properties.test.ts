import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bytesOf, lines, MemoryFile } from "./vault.fixture.ts";
import { Vault } from "./vault.ts";

const DAY = 24 * 60 * 60 * 1000;
const PATHS = ["/s/a.jsonl", "/s/b.jsonl", "/s/c.jsonl"] as const;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "vault-properties-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

interface ModelGeneration {
  content: Buffer;
  isDeleted: boolean;
}

/** What is kept of a path, newest first, as a program would say that does not mind how much it stores. */
interface Model {
  generations: ModelGeneration[];
  isVanished: boolean;
}

class Run {
  readonly #path: string;
  #now = 1_700_000_000_000;
  #vault: Vault;
  /** The files on disk. */
  #files = new Map<string, MemoryFile>();
  #models = new Map<string, Model>();

  constructor(path: string) {
    this.#path = path;
    this.#vault = this.#open();
  }

  #open(): Vault {
    return Vault.open(this.#path, { clock: () => this.#now });
  }

  close(): void {
    this.#vault.close();
  }

  file(path: string): MemoryFile {
    const file = this.#files.get(path) ?? new MemoryFile(path);
    this.#files.set(path, file);
    return file;
  }

  keep(path: string): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    this.#now += 1;
    const { isNewGeneration } = this.#vault.keep(file.opened());
    const model = this.#models.get(path) ?? { generations: [], isVanished: false };
    this.#models.set(path, model);
    model.isVanished = false;
    const [newest] = model.generations;
    const grew = newest !== undefined && isContinued(newest.content, file.content);
    expect(isNewGeneration).toBe(!grew);
    if (grew) Object.assign(newest, { content: file.content, isDeleted: false });
    else model.generations.unshift({ content: file.content, isDeleted: false });
  }

  vanish(path: string): void {
    this.#files.delete(path);
    this.#vault.setVanished([path]);
    const model = this.#models.get(path);
    if (model !== undefined) model.isVanished = true;
  }

  move(from: string, to: string): void {
    const file = this.#files.get(from);
    if (from === to || file === undefined || this.#files.has(to)) return;
    this.#now += 1;
    this.#files.delete(from);
    const moved = new MemoryFile(to, file.content);
    moved.stamp = file.stamp;
    this.#files.set(to, moved);
    if (this.#models.has(to)) this.#vault.setVanished([to]);
    this.#vault.move(from, to);
    const [source, target] = [this.#models.get(from), this.#models.get(to)];
    if (source === undefined) return;
    this.#models.delete(from);
    const isTargetFirst = target !== undefined && source.isVanished;
    const [first, second] = isTargetFirst ? [target, source] : [source, target];
    this.#models.set(to, {
      generations: [...first.generations, ...(second?.generations ?? [])],
      isVanished: first.isVanished || (isTargetFirst && target !== undefined),
    });
  }

  delete(path: string): void {
    this.#vault.markDeleted([path]);
    for (const generation of this.#models.get(path)?.generations ?? []) generation.isDeleted = true;
  }

  undelete(path: string): void {
    this.#vault.undelete(path);
    for (const generation of this.#models.get(path)?.generations ?? []) generation.isDeleted = false;
  }

  forget(path: string): void {
    this.#vault.forget([path]);
    this.#models.delete(path);
  }

  purge(): void {
    this.#now += DAY;
    this.#vault.purge({ deletedFor: DAY, replacedFor: DAY });
    for (const [path, model] of this.#models) {
      model.generations = model.generations.filter(({ isDeleted }, at) => at === 0 && !isDeleted);
      if (model.generations.length === 0) this.#models.delete(path);
    }
  }

  settle(): void {
    this.#now += DAY;
    expect(this.#vault.settle(2 ** 30).isDone).toBe(true);
  }

  reopen(): void {
    this.#vault.close();
    this.#vault = this.#open();
  }

  check(): void {
    for (const path of PATHS) {
      const found = this.#vault.generations(path);
      const expected = this.#models.get(path)?.generations ?? [];
      expect(found).toHaveLength(expected.length);
      const kept = found.map((one) => described(bytesOf(this.#vault, one, 77_777), one.deletedAt !== null));
      const wanted = expected.map(({ content, isDeleted }) => described(content, isDeleted));
      expect(kept[0]).toEqual(wanted[0]);
      // After a move, those of both paths are in the order in which they were replaced.
      expect(kept.sort()).toEqual(wanted.sort());
    }
    const living = [...this.#models].filter(([, { generations }]) => generations[0]?.isDeleted === false);
    const sessions = [...this.#vault.keptSessions()].map(({ path, vanishedAt }) => [path, vanishedAt !== null]);
    expect(sessions.sort()).toEqual(living.map(([path, { isVanished }]) => [path, isVanished]).sort());
    const vanished = living.filter(([, { isVanished }]) => isVanished).map(([path]) => path);
    expect([...this.#vault.vanishedSessions()].map(({ path }) => path).sort()).toEqual(vanished.sort());
    for (let cursor: string | null = null; ; ) {
      const verified: ReturnType<Vault["verify"]> = this.#vault.verify(cursor, 3);
      expect(verified.damaged).toEqual([]);
      cursor = verified.next;
      if (cursor === null) break;
    }
  }
}

function described(content: Buffer, isDeleted: boolean): string {
  return `${createHash("sha1").update(content).digest("hex")} ${isDeleted}`;
}

/** As far as the first and the last bytes tell, except where the size is the same. */
function isContinued(before: Buffer, after: Buffer): boolean {
  if (after.length === before.length) return after.equals(before);
  const marks = (content: Buffer) => [
    content.subarray(0, Math.min(256, before.length)),
    content.subarray(Math.max(0, before.length - 256), before.length),
  ];
  const [[head, tail], [newHead, newTail]] = [marks(before), marks(after)];
  return (
    after.length > before.length && head?.equals(newHead ?? head) === true && tail?.equals(newTail ?? tail) === true
  );
}

const path = fc.constantFrom(...PATHS);
const size = fc.oneof(fc.nat(3_000), fc.nat(3_000), fc.nat(200_000), fc.nat(700_000));
const step: fc.Arbitrary<(run: Run) => void> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(path, fc.nat(5), size).map(
      ([at, seed, bytes]) =>
        (run: Run) =>
          void run.file(at).append(lines(seed, bytes)),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(path, fc.uint8Array({ maxLength: 50 })).map(
      ([at, bytes]) =>
        (run: Run) =>
          void run.file(at).append(bytes),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(path, fc.nat(5), size).map(
      ([at, seed, bytes]) =>
        (run: Run) =>
          void run.file(at).set(lines(seed, bytes)),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(path, path).map(
      ([at, from]) =>
        (run: Run) =>
          void run.file(at).set(run.file(from).content),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(path, fc.double({ min: 0, max: 1, noNaN: true })).map(([at, share]) => (run: Run) => {
      const { content } = run.file(at);
      run.file(at).set(content.subarray(0, content.length * share));
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(path, fc.double({ min: 0, max: 1, noNaN: true })).map(([at, share]) => (run: Run) => {
      const content = Buffer.from(run.file(at).content);
      content.write("changed", Math.floor(content.length * share));
      run.file(at).set(content);
    }),
  },
  { weight: 9, arbitrary: path.map((at) => (run: Run) => run.keep(at)) },
  { weight: 1, arbitrary: path.map((at) => (run: Run) => run.vanish(at)) },
  {
    weight: 1,
    arbitrary: fc.tuple(path, path).map(
      ([from, to]) =>
        (run: Run) =>
          run.move(from, to),
    ),
  },
  { weight: 1, arbitrary: path.map((at) => (run: Run) => run.delete(at)) },
  { weight: 1, arbitrary: path.map((at) => (run: Run) => run.undelete(at)) },
  { weight: 1, arbitrary: path.map((at) => (run: Run) => run.forget(at)) },
  { weight: 1, arbitrary: fc.constant((run: Run) => run.purge()) },
  { weight: 1, arbitrary: fc.constant((run: Run) => run.settle()) },
  { weight: 1, arbitrary: fc.constant((run: Run) => run.reopen()) },
);

it("A vault holds the bytes of every generation, whatever is done", () => {
  let count = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 30, size: "max" }), (steps) => {
      count++;
      const run = new Run(join(directory, `${count}.db`));
      try {
        for (const action of steps) action(run);
        run.check();
      } finally {
        run.close();
      }
    }),
    { numRuns: 30 },
  );
});
