import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bytesOf, lines, MemoryFile } from "./vault.fixture.ts";
import { type CopyProgress, Vault } from "./vault.ts";

let directory: string;
let copy: string;
let vault: Vault;
let other: Vault;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "vault-copies-"));
  copy = join(directory, "copy");
  // All within a millisecond, as it happens on a fast machine.
  const clock = () => 1_000;
  vault = Vault.open(join(directory, "vault.db"), { clock });
  other = Vault.open(join(directory, "other.db"), { clock });
});

afterEach(() => {
  vault.close();
  other.close();
  rmSync(directory, { recursive: true });
});

/** The progress after the last step. */
function all(steps: Iterable<CopyProgress>): CopyProgress {
  let last: CopyProgress | undefined;
  for (const step of steps) last = { ...step, damaged: [...step.damaged] };
  if (last === undefined) throw new Error("There was no step.");
  return last;
}

function chunkFiles(): string[] {
  const files = readdirSync(join(copy, "chunks"), { recursive: true }).map(String);
  return files.filter((name) => name.endsWith(".br"));
}

const FIRST = lines(1, 1_200_000);

function keepSome(): MemoryFile {
  const file = new MemoryFile("/a", FIRST);
  vault.keep(file.opened());
  vault.keep(file.append(lines(2, 900)).opened());
  vault.keep(file.set(lines(3, 5_000)).opened());
  vault.keep(new MemoryFile("/b", FIRST).opened());
  vault.setVanished(["/b"], 5);
  vault.keep(new MemoryFile("/empty").opened());
  return file;
}

describe("a copy of a vault", () => {
  it("has all that is kept, readable by hand", () => {
    keepSome();
    expect(all(vault.exportTo(copy))).toMatchObject({ generations: 4, sessions: 3, damaged: [] });
    const [name = ""] = readdirSync(join(copy, "manifests"));
    const [header, ...written] = readFileSync(join(copy, "manifests", name), "utf8")
      .trimEnd()
      .split("\n");
    expect(JSON.parse(header ?? "")).toMatchObject({ version: 1 });
    const first = JSON.parse(written[0] ?? "") as { path: string; pieces: [string, number][] };
    const texts = first.pieces.map(([hash]) =>
      brotliDecompressSync(readFileSync(join(copy, "chunks", hash.slice(0, 2), `${hash}.br`))).toString(),
    );
    expect(texts.join("") === FIRST + lines(2, 900)).toBe(true);
  });

  it("costs only what is new, and forgets what nobody has any more", () => {
    const file = keepSome();
    all(vault.exportTo(copy));
    expect(all(vault.exportTo(copy)).writtenBytes).toBe(0);
    vault.keep(file.append(lines(7, 1_000)).opened());
    expect(all(vault.exportTo(copy)).writtenBytes).toBeLessThan(5_000);
    other.keep(new MemoryFile("/b", FIRST).opened());
    all(other.exportTo(copy));
    const before = chunkFiles().length;
    vault.forget(["/a", "/b"]);
    all(vault.exportTo(copy));
    expect(chunkFiles().length).toBeLessThan(before);
    rmSync(join(directory, "third.db"), { force: true });
    const third = Vault.open(join(directory, "third.db"));
    expect(all(third.importFrom(copy))).toMatchObject({ damaged: [] });
    expect(bytesOf(third, third.newest("/b")).toString() === FIRST).toBe(true);
    third.close();
  });

  it("is read into another vault, once", () => {
    keepSome();
    all(vault.exportTo(copy));
    expect(all(other.importFrom(copy))).toMatchObject({ generations: 4, sessions: 3, damaged: [] });
    for (const path of ["/a", "/b", "/empty"]) {
      const [wanted, found] = [vault, other].map((one) =>
        one.generations(path).map((kept) => bytesOf(one, kept).toString()),
      );
      expect(found).toEqual(wanted);
    }
    expect(other.newest("/b")).toMatchObject({ format: "pi", sessionId: "id of /b", vanishedAt: 5 });
    expect([...other.vanishedSessions()].map(({ path }) => path).sort()).toEqual(["/a", "/b", "/empty"]);
    expect(all(other.importFrom(copy))).toMatchObject({ generations: 0, writtenBytes: 0 });
    expect(other.verify(null, 1000).damaged).toEqual([]);
  });

  it("goes on with the original where that is there again", () => {
    const file = keepSome();
    all(vault.exportTo(copy));
    all(other.importFrom(copy));
    expect(other.keep(file.append("more\n").opened())).toEqual({ addedBytes: 5, isNewGeneration: false });
    expect(bytesOf(other, other.newest("/a")).equals(file.content)).toBe(true);
  });

  it("replaces nothing that is kept", () => {
    const file = keepSome();
    all(vault.exportTo(copy));
    const own = new MemoryFile("/a", "own\n");
    other.keep(own.opened());
    all(other.importFrom(copy));
    expect(bytesOf(other, other.newest("/a")).toString()).toBe("own\n");
    expect(
      other
        .generations("/a")
        .map(({ bytes }) => bytes)
        .sort((a, b) => a - b),
    ).toContain(file.content.length);
  });

  it("says what of it is damaged, and gives the rest", () => {
    keepSome();
    all(vault.exportTo(copy));
    const [name = ""] = readdirSync(join(copy, "manifests"));
    const manifest = join(copy, "manifests", name);
    const [header = "", ...written] = readFileSync(manifest, "utf8").trimEnd().split("\n");
    const { pieces } = JSON.parse(written[0] ?? "") as { pieces: [string, number][] };
    const [hash = ""] = pieces.at(-1) ?? [];
    writeFileSync(join(copy, "chunks", hash.slice(0, 2), `${hash}.br`), "damaged");
    writeFileSync(
      manifest,
      [header, ...written, '{"path":"/x","bytes":1,"pieces":[["../../x",1]]}', "{", ""].join("\n"),
    );
    expect(all(other.importFrom(copy))).toMatchObject({ generations: 3, damaged: ["/a", manifest, manifest] });
    expect(other.newest("/b")).not.toBeNull();
    expect(other.newest("/x")).toBeNull();
  });

  it("is not read where there is none, or a newer one", () => {
    expect(() => all(other.importFrom(copy))).toThrow("does not exist");
    all(vault.exportTo(copy));
    const [name = ""] = readdirSync(join(copy, "manifests"));
    writeFileSync(join(copy, "manifests", name), '{"version":2,"vault":"x"}\n');
    expect(() => all(other.importFrom(copy))).toThrow("newer version");
    expect(existsSync(join(copy, "README.md"))).toBe(true);
  });
});
