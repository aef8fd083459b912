import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { provideBaseImages } from "./container/base-images.mjs";
import { checkService } from "./container/checks.mjs";
import { Engine, hasProgram, run, ULIMITS } from "./container/engine.mjs";
import { giveUp, say } from "./run.mjs";

const PROGRAMS = ["debootstrap", "ip", "podman", "podman-compose", "unshare"];
const IMAGE = "localhost/session-manager";
const INSIDE = "--inside";

// Builds the image by the Dockerfile and runs it by compose.yaml, with podman. The network, the mounts and the home
// that the containers see are of this run alone; images are kept for the next.
if (process.argv[2] === INSIDE) {
  run("ip", ["link", "set", "lo", "up"]);
  const [storage, scratch] = process.argv.slice(3);
  await checkService(new Engine(storage, scratch));
} else {
  const missing = PROGRAMS.filter((name) => !hasProgram(name));
  if (missing.length > 0) giveUp(`Install what is missing: ${missing.join(", ")}.`);
  if (process.getuid() !== 0) giveUp("Run this as root, who may make networks and mounts.");
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const storage = join(cache, "session-manager", "containers");
  const scratch = mkdtempSync(join(tmpdir(), "session-manager-container-"));
  try {
    const engine = new Engine(storage, scratch);
    provideBaseImages(engine, scratch);
    buildImage(engine);
    describeImage(engine);
    const self = fileURLToPath(import.meta.url);
    run("unshare", ["--net", "--mount", process.execPath, self, INSIDE, storage, scratch], { stdio: "inherit" });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function buildImage(engine) {
  const begun = performance.now();
  // The format that keeps HEALTHCHECK.
  const options = ["--format", "docker", "--pull=never", "--network", "host", "--tag", IMAGE];
  const limits = ULIMITS.flatMap((limit) => ["--ulimit", limit]);
  run("podman", ["build", ...options, ...limits, "."], { env: engine.env, stdio: ["ignore", 2, 2] });
  say(`Building took ${((performance.now() - begun) / 1_000).toFixed(0)} s.`);
}

function describeImage(engine) {
  const layers = engine.podman("history", "--no-trunc", "--format", "{{.Size}}\t{{.CreatedBy}}", IMAGE).split("\n");
  for (const layer of layers) if (!layer.startsWith("0 B")) say(layer.slice(0, 120));
}
