import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { registry, validate } from "@sm/router";
import { CommanderError } from "commander";
import { describe, expect, it, vi } from "vitest";
import { CliError, EXIT } from "./failure.ts";
import { runFake } from "./fake-shell.fixture.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const BUILT = new Set(["node_modules", "dist", "target"]);
/** Tells of what was, and names what has gone since. */
const HISTORY = "CHANGELOG.md";

const documents = documentsIn(ROOT).map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, "utf8") }));

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return BUILT.has(entry.name) || /^\.(?!github)/.test(entry.name) ? [] : documentsIn(path);
    return entry.name.endsWith(".md") && entry.name !== HISTORY ? [path] : [];
  });
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [`${folder}/${entry.name}`];
    return BUILT.has(entry.name) ? [] : sourcesIn(`${folder}/${entry.name}`);
  });
}

interface Place {
  /** The document and the line in it. */
  place: string;
  text: string;
}

function matches(pattern: RegExp, group = 1): Place[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => ({
      place: `${path}:${text.slice(0, match.index).split("\n").length}`,
      text: match[group] ?? "",
    })),
  );
}

const withoutFences = (text: string) => text.replaceAll(/^( *)```.*?^\1```$/gms, "");
const withoutCode = (text: string) => withoutFences(text).replaceAll(/`[^`\n]*`/g, "");

/** As GitHub names the headings of a document. */
function anchorsOf(path: string): Set<string> {
  const headings = [...withoutFences(readFileSync(path, "utf8")).matchAll(/^#+ (.+)$/gm)];
  const anchors = headings.map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set(anchors);
}

describe("the documentation", () => {
  it.each(documents)("$path leads to what is there", ({ path, text }) => {
    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)];
    const targets = links.map(([, link, address]) => link ?? address ?? "").filter((link) => !/^\w+:/.test(link));
    const broken = targets.filter((target) => {
      const [file = "", anchor] = target.split("#");
      const linked = file === "" ? join(ROOT, path) : join(ROOT, dirname(path), file);
      return !existsSync(linked) || (anchor !== undefined && !anchorsOf(linked).has(anchor));
    });
    expect(broken).toEqual([]);
  });

  it("names files of the repository that are there", () => {
    const named = matches(/(?<![\w@./~-])((?:apps|docs|packages)\/[\w@./-]*\w)/g);
    const missing = named.filter(({ text }) => !/\/dist\b/.test(text) && !existsSync(join(ROOT, text)));
    expect(missing).toEqual([]);
    expect(named.length).toBeGreaterThan(30);
  });

  it("names sources by the end of paths that are there", () => {
    const sources = ["apps", "packages"].flatMap((folder) => sourcesIn(join(ROOT, folder)));
    // `server/config.ts` is what lies in `packages/server/src`.
    const paths = sources.flatMap((path) => [path, path.replace("/src/", "/")]);
    const named = matches(/`([\w-]+\/[\w./-]+\.(?:ts|tsx|mjs|rs))`/g);
    expect(named.filter(({ text }) => !paths.some((path) => path.endsWith(`/${text}`)))).toEqual([]);
    expect(named.length).toBeGreaterThan(30);
  });

  it("names scripts that npm runs", () => {
    const scriptsOf = (folder: string) => JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")).scripts;
    const named = matches(/(npm (?:--prefix \S+ )?run (?:--silent )?[\w:-]+)/g);
    const missing = named.filter(({ text }) => {
      const [, folder = ".", script = ""] = /(?:--prefix (\S+) )?run (?:--silent )?(\S+)/.exec(text) ?? [];
      return !Object.hasOwn(scriptsOf(folder), script);
    });
    expect(missing).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });

  it("shows requests that the service takes", () => {
    const shown = matches(/'(\{"command":[^']*\})'/g);
    for (const { place, text } of shown) {
      const { command, payload = {} } = JSON.parse(text);
      const input = registry.get(command)?.input;
      if (input === undefined) throw new Error(`${place}: there is no command ${command}.`);
      expect(() => validate(input, payload), `${place}: ${text}`).not.toThrow();
    }
    expect(shown.length).toBeGreaterThan(30);
  });

  const shown = [
    ...matches(/^ *```sh\n(.*?)^ *```$/gms).flatMap(({ place, text }) =>
      commandLines(text).map((argv) => ({ place, argv, line: argv.join(" "), isWhole: true })),
    ),
    // In a sentence, a command may stand without what it needs.
    ...matches(/(?<!`)`((?:[A-Z_]+=\S+ )*session-cli\b[^`\n]*)`/g).flatMap(({ place, text }) =>
      commandLines(text).map((argv) => ({ place, argv, line: argv.join(" "), isWhole: false })),
    ),
  ];

  it.each(shown)("$place: session-cli $line", async ({ argv, isWhole }) => {
    // Whoever runs a hub has exported its database, as docs/hub.md says.
    if (argv[0] === "hub") vi.stubEnv("SESSION_MANAGER_STORE", "postgres://hub@db.example.com/hub");
    const { error, stderr } = await runFake(argv, { columns: 100, typed: "" });
    vi.unstubAllEnvs();
    if (!isWhole && isIncomplete(error)) return;
    expect(isMisuse(error) ? error.message : null).toBeNull();
    expect(error instanceof CommanderError && error.exitCode !== 0 ? stderr : null).toBeNull();
  });

  it("shows many command lines", () => {
    expect(shown.length).toBeGreaterThan(60);
  });
});

/** Without an argument that is needed, or without the subcommand: then the help is shown. */
const INCOMPLETE = ["commander.missingArgument", "commander.missingMandatoryOptionValue", "commander.help"];

function isIncomplete(error: unknown): boolean {
  if (error instanceof CommanderError) return INCOMPLETE.includes(error.code);
  return isMisuse(error);
}

/** What a command finds out by itself before it asks anybody. */
function isMisuse(error: unknown): error is CliError {
  return error instanceof CliError && error.exitCode === EXIT.usage;
}

/** Finds the arguments of every session-cli in lines of a shell. What has a gap to be filled in is left out. */
function commandLines(text: string): string[][] {
  return text.replaceAll("\\\n", "").split("\n").flatMap(commandsIn);
}

function commandsIn(line: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  const end = () => {
    const argv = argumentsOf(words);
    if (argv !== null && !argv.some((word) => /[<…]/.test(word))) commands.push(argv);
    words = [];
  };
  // A quoted word, the end of a command, or a word with whatever quotes are in it.
  for (const [word] of line.matchAll(/#.*|&&|\|\|?|;|\d?>>?|(?:'[^']*'|"[^"]*"|\\.|[^\s'"|;&>])+|&/g)) {
    if (word.startsWith("#")) break;
    if (/^(?:&&?|\|\|?|;|\d?>>?)$/.test(word)) end();
    else words.push(word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, "$1$2$3"));
  }
  end();
  return commands;
}

/** `null` where a command is another program's. */
function argumentsOf(words: readonly string[]): string[] | null {
  const own = words.findIndex((word) => basename(word) === "session-cli");
  if (own < 0) return words[0] === "npm" && words[1] === "start" ? words.slice(3) : null;
  // What `npm run` and `npx` take for themselves ends with it.
  return words.slice(words[own + 1] === "--" ? own + 2 : own + 1);
}
