import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { CARGO_TARGET, runCargo } from "./cargo.mjs";
import { ROOT } from "./root.mjs";
import { giveUp, runNodeQuietly } from "./run.mjs";
import { runTests } from "./run-tests.mjs";
import { setUp } from "./setup.mjs";

const DESKTOP = join(ROOT, "apps", "desktop");

/** Programs of the system that the tests use, with the Debian packages that have them. */
const PROGRAMS = {
  Xvfb: "xvfb",
  WebKitWebDriver: "webkit2gtk-driver",
  "dbus-daemon": "dbus-daemon",
  "dbus-monitor": "dbus-bin",
  "dpkg-deb": "dpkg",
  xdotool: "xdotool",
};

if (process.platform !== "linux") giveUp("The tests of the desktop application run on Linux alone.");
const missing = Object.entries(PROGRAMS).filter(([program]) => !isInstalled(program));
if (missing.length > 0) {
  const packages = missing.map(([, name]) => name).join(" ");
  giveUp(`The tests of the desktop application need more programs: apt-get install ${packages}`);
}
setUp();
if (runCargo(["test", "--release", "--quiet"]) !== 0) giveUp("Tests of the shell have failed, see above.");
process.env.SESSION_MANAGER_APPLICATION ??= installApplication();
// Cargo has built it with its tests.
process.env.SESSION_MANAGER_STAND_IN = join(CARGO_TARGET, "release", "examples", "desktop_stand_in");
process.exitCode = runTests(["--root", DESKTOP, ...process.argv.slice(2)]);

function isInstalled(program) {
  return (process.env.PATH ?? "").split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Builds the package, unpacks it for as long as this runs, and returns the application in it. */
function installApplication() {
  if (runNodeQuietly(["packages/workspace/src/desktop-build.mjs"]) !== 0) {
    giveUp("Building the desktop application failed, see above.");
  }
  const built = join(DESKTOP, "dist");
  const name = readdirSync(built).find((file) => file.endsWith(".deb"));
  if (name === undefined) giveUp(`There is no package in ${built}.`);
  const folder = mkdtempSync(join(tmpdir(), "session-manager-application-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  const { status } = spawnSync("dpkg-deb", ["-x", join(built, name), folder], { stdio: ["ignore", 2, 2] });
  if (status !== 0) giveUp(`${name} cannot be unpacked.`);
  return join(folder, "usr", "bin", "session-manager");
}
