import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ROOT } from "../root.mjs";

/** What containers get. Podman would ask for more than the machine that this runs on need give. */
export const ULIMITS = [`nofile=${openFiles()}`, `nproc=${processes()}`];

/** Podman with images, containers and networks of its own. */
export class Engine {
  /** Makes podman and what runs it keep to these folders. */
  env;

  /** @param storage keeps images from run to run; `scratch` is for this run. */
  constructor(storage, scratch) {
    mkdirSync(storage, { recursive: true });
    const configuration = join(scratch, "containers.conf");
    const storageConfiguration = join(scratch, "storage.conf");
    writeFileSync(configuration, describeEngine(scratch));
    writeFileSync(storageConfiguration, describeStorage(storage));
    this.env = {
      ...process.env,
      CONTAINERS_CONF: configuration,
      CONTAINERS_STORAGE_CONF: storageConfiguration,
      // Health checks run when the test asks for them, not by timers of systemd, which need not be there.
      DISABLE_HC_SYSTEMD: "true",
    };
  }

  /** Runs podman and returns its output, without the line feed at the end. Throws where it fails. */
  podman(...args) {
    return run("podman", args, { env: this.env });
  }
}

/** Runs a program and returns its output, without the line feed at the end. Throws where it fails. */
export function run(program, args, options = {}) {
  const result = spawnSync(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024, ...options });
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0) {
    const output = `${result.stdout ?? ""}\n${result.stderr ?? ""}`;
    throw new Error(`${program} ${args.join(" ")} ended with ${result.status}. ${output.trim()}`);
  }
  return result.stdout?.trimEnd();
}

/** Whether a program of the system is there. */
export function hasProgram(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function describeStorage(storage) {
  return ["[storage]", 'driver = "overlay"', `graphroot = "${storage}"`, `runroot = "${storage}-run"`, ""].join("\n");
}

function describeEngine(scratch) {
  return [
    "[containers]",
    `default_ulimits = [${ULIMITS.map((limit) => `"${limit}"`)}]`,
    "[engine]",
    'cgroup_manager = "cgroupfs"',
    'events_logger = "none"',
    // crun, where podman prefers it, refuses to run with version 1 of control groups beside version 2.
    ...(hasProgram("runc") ? ['runtime = "runc"'] : []),
    "[network]",
    `network_config_dir = "${join(scratch, "networks")}"`,
    "",
  ].join("\n");
}

function openFiles() {
  return hardLimit("Max open files");
}

/** Podman gives up by itself what is more than the system has numbers for. */
function processes() {
  const numbers = Number(readFileSync("/proc/sys/kernel/pid_max", "utf8"));
  return Math.min(hardLimit("Max processes"), numbers);
}

function hardLimit(name) {
  const limits = readFileSync("/proc/self/limits", "utf8");
  const limit = new RegExp(`^${name} +\\S+ +(\\S+)`, "m").exec(limits)?.[1];
  return limit === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(limit);
}
