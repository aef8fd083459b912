import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

/** Survives the clone, so that only the first build takes tens of minutes. */
export const CARGO_TARGET =
  process.env.CARGO_TARGET_DIR || join(homedir(), ".cache", "session-manager", "cargo-target");

/** Runs cargo for the desktop application, its output on standard error, and returns its exit code. */
export function runCargo(args) {
  const { status } = spawnSync("cargo", args, {
    cwd: join(ROOT, "apps", "desktop", "src-tauri"),
    stdio: ["ignore", 2, 2],
    env: { ...process.env, CARGO_TARGET_DIR: CARGO_TARGET },
  });
  return status ?? 1;
}
