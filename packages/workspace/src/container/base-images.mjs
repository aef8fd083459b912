import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { giveUp, say } from "../run.mjs";
import { run } from "./engine.mjs";

const MIRROR = "http://deb.debian.org/debian";
/** As the scripts of Node's images for slim Debian do. */
const LEFT_OUT = [
  "usr/share/doc",
  "usr/share/info",
  "usr/share/locale",
  "usr/share/man",
  "var/cache",
  "var/lib/apt/lists",
];
const CERTIFICATES = "etc/ssl/certs/ca-certificates.crt";

/**
 * Makes images that stand in for those named in the Dockerfile where no registry can be asked: Debian of the same name,
 * made by debootstrap, with the Node that runs this where Node's own images have it. Images that are there stay.
 */
export function provideBaseImages(engine, scratch) {
  for (const name of baseImages()) {
    if (imageExists(engine, name)) continue;
    say(`Making a stand-in for ${name}.`);
    makeImage(engine, name, join(scratch, "base"));
  }
}

/** What the Dockerfile starts from. */
function baseImages() {
  const dockerfile = readFileSync(new URL("../../../../Dockerfile", import.meta.url), "utf8");
  const names = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, name]) => name);
  const [, version] = /:(\d+)-/.exec(names[0]);
  if (!process.version.startsWith(`v${version}.`)) giveUp(`Run this with Node ${version}, which the Dockerfile names.`);
  return names;
}

function imageExists(engine, name) {
  return engine.podman("images", "--quiet", "--filter", `reference=${name}`) !== "";
}

function makeImage(engine, name, folder) {
  const [, suite, isSlim] = /:\d+-([a-z]+)(-slim)?$/.exec(name);
  const packages = ["ca-certificates", "netbase", "tzdata", ...(isSlim ? [] : ["g++", "git", "make", "python3"])];
  rmSync(folder, { recursive: true, force: true });
  run("debootstrap", ["--variant=minbase", `--include=${packages}`, suite, folder, MIRROR]);
  for (const path of LEFT_OUT) rmSync(join(folder, path), { recursive: true, force: true });
  mkdirSync(join(folder, "var", "cache", "apt", "archives", "partial"), { recursive: true });
  installNode(join(folder, "usr", "local"));
  run("chroot", [folder, "groupadd", "--gid", "1000", "node"]);
  run("chroot", [folder, "useradd", "--uid", "1000", "--gid", "node", "--shell", "/bin/bash", "--create-home", "node"]);
  // A network may have a certificate authority of its own.
  if (!isSlim) cpSync(join("/", CERTIFICATES), join(folder, CERTIFICATES));
  const archive = `${folder}.tar`;
  run("tar", ["--create", "--numeric-owner", "--file", archive, "--directory", folder, "."]);
  const changes = isSlim ? [] : ["--change", `ENV NODE_EXTRA_CA_CERTS=/${CERTIFICATES}`];
  engine.podman("import", "--quiet", ...changes, archive, name);
  rmSync(folder, { recursive: true });
  rmSync(archive);
}

/** Puts Node, npm and Node's headers where Node's images have them. */
function installNode(prefix) {
  const node = realpathSync(process.execPath);
  const installed = dirname(dirname(node));
  cpSync(node, join(prefix, "bin", "node"));
  for (const path of ["include/node", "lib/node_modules/npm"]) {
    cpSync(join(installed, path), join(prefix, path), { recursive: true });
  }
  for (const name of ["npm", "npx"]) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(prefix, "bin", name));
  }
}
