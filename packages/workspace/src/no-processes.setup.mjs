import childProcess, { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/** Node cannot make named pipes itself. */
const ALLOWED = "mkfifo";

/** Test files share the process, which is told once. */
const key = Symbol.for("session-manager.no-processes");
if (!(key in globalThis)) {
  globalThis[key] = true;
  refuseProcesses();
}

// A unit test answers in no time on any machine: what starts programs is a test of another suite.
function refuseProcesses() {
  const { spawn } = ChildProcess.prototype;
  ChildProcess.prototype.spawn = function (options) {
    refuse(options.file);
    return spawn.call(this, options);
  };
  for (const name of ["spawnSync", "execSync", "execFileSync"]) {
    const start = childProcess[name];
    childProcess[name] = (program, ...rest) => {
      refuse(program);
      return start(program, ...rest);
    };
  }
  syncBuiltinESMExports();
}

function refuse(program) {
  if (program === ALLOWED) return;
  throw new Error(`A unit test starts ${program}: name its file x.process.test.ts (CONTRIBUTING.md says why).`);
}
