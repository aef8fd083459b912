import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./root.mjs";
import { giveUp } from "./run.mjs";
import { stageServer } from "./stage.mjs";

/** Sizes depend a little on when dependencies were published, and on the version of npm. */
const TOLERANCE = 0.1;

/** What somebody installs for a purpose: tarballs of ours, and packages of the registry. */
const CONSUMERS = [
  { label: "a client: `@sm/router/client`", ours: ["router", "core", "text-index"], others: [] },
  { label: "sessions as data: `@sm/core`", ours: ["core", "text-index"], others: [] },
  { label: "all sessions: `@sm/core/node`", ours: ["core", "text-index"], others: ["better-sqlite3", "trash"] },
  {
    label: "the whole service: `@sm/server`",
    ours: [
      "server",
      "core",
      "text-index",
      "router",
      "agent",
      "terminal",
      "transport-http",
      "transport-ws",
      "transport-sse",
      "transport-mcp",
    ],
    others: [],
  },
  { label: "the command: `session-cli`", ours: ["session-cli"], others: [] },
];

/** Writes the figures of what was packed into the documentation, between its markers. */
export function writeFigures(tarballs) {
  for (const [page, name, lines] of [...packedFigures(tarballs), ...installedFigures(tarballs), stagedFigures()]) {
    replaceFigures(page, name, lines);
  }
}

/** Names the pages whose figures are no longer those of the tarballs. What is installed is measured by the tests. */
export function staleFigures(tarballs) {
  return packedFigures(tarballs)
    .filter(([page, name, lines]) => !isNear(readFigures(page, name), lines.join("\n")))
    .map(([page]) => page);
}

function packedFigures(tarballs) {
  const rows = tarballs
    .map((tarball) => ({ ...unpackedSize(tarball), packed: statSync(tarball).size, name: nameOf(tarball) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, packed, bytes, files }) => [`\`${name}\``, size(packed), size(bytes), String(files)]);
  return [["docs/install.md", "packed", table(["package", "tarball", "unpacked", "files"], rows)]];
}

function installedFigures(tarballs) {
  const rows = installations(tarballs).map(({ label, packages, bytes, native }) => {
    return [label, String(packages), size(bytes), native.join(", ") || "none"];
  });
  const lines = table(["what is installed", "packages", "size", "native code"], rows);
  return [
    ["docs/install.md", "installed", lines],
    ["docs/using-core.md", "installed", lines],
  ];
}

function installations(tarballs) {
  return CONSUMERS.map(({ label, ours, others }) => {
    return { label, ...install([...ours.map((name) => tarballOf(name, tarballs)), ...others]) };
  });
}

function stagedFigures() {
  const folder = mkdtempSync(join(tmpdir(), "session-manager-staged-"));
  try {
    stageServer(folder);
    const { bytes, files } = measure(folder);
    return ["docs/container.md", "staged", [`The result: ${size(bytes)} in ${files} files.`]];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Installs packages as npm does for somebody else, but compiles nothing. */
function install(packages) {
  const folder = mkdtempSync(join(tmpdir(), "session-manager-figures-"));
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
    execFileSync("npm", ["install", ...flags, ...packages], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    const modules = join(folder, "node_modules");
    const lock = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
    const names = Object.keys(lock.packages);
    const native = names.filter((name) => existsSync(join(folder, name, "binding.gyp")));
    const short = native.map((name) => name.slice(name.lastIndexOf("node_modules/") + "node_modules/".length));
    return { packages: names.length, bytes: measure(modules).bytes, native: [...new Set(short)].sort() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function unpackedSize(tarball) {
  const folder = mkdtempSync(join(tmpdir(), "session-manager-unpacked-"));
  try {
    mkdirSync(folder, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "-C", folder]);
    return measure(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measure(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** `sm-core-0.1.0.tgz` is the tarball of `@sm/core`. */
function nameOf(tarball) {
  return basename(tarball)
    .replace(/-\d+\.\d+\.\d+.*$/, "")
    .replace(/^sm-/, "@sm/");
}

function tarballOf(name, tarballs) {
  const found = tarballs.find((tarball) => [name, `@sm/${name}`].includes(nameOf(tarball)));
  if (found === undefined) throw new Error(`${name} was not packed.`);
  return found;
}

/** Lines of a Markdown table, aligned as the formatter aligns them. */
function table(head, rows) {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}

function size(bytes) {
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function markers(name) {
  return [`<!-- figures: ${name}, written by npm run pack -->`, "<!-- end of figures -->"];
}

function readFigures(page, name) {
  const text = readFileSync(join(ROOT, page), "utf8");
  const [start, end] = markers(name);
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${page} has no markers for the figures "${name}".`);
  return text.slice(from + start.length, to).trim();
}

function replaceFigures(page, name, lines) {
  const text = readFileSync(join(ROOT, page), "utf8");
  const [start, end] = markers(name);
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end, from);
  writeFileSync(join(ROOT, page), `${text.slice(0, from)}\n\n${lines.join("\n")}\n\n${text.slice(to)}`);
}

/** Whether two texts are the same but for numbers that differ a little. */
function isNear(text, other) {
  const number = /\d+(?:\.\d+)?/g;
  if (text.replace(number, "0").replace(/[\s-]+/g, " ") !== other.replace(number, "0").replace(/[\s-]+/g, " ")) {
    return false;
  }
  const others = other.match(number) ?? [];
  return (text.match(number) ?? []).every((own, place) => {
    const [a, b] = [Number(own), Number(others[place])];
    return Math.abs(a - b) <= Math.max(2, TOLERANCE * Math.max(a, b));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [directory] = process.argv.slice(2);
  if (directory === undefined)
    giveUp("Say where the tarballs are: node packages/workspace/src/figures.mjs <directory>");
  const tarballs = readdirSync(directory).map((name) => join(directory, name));
  process.stdout.write(`${JSON.stringify(installations(tarballs))}\n`);
}
