import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Program, startProgram } from "./programs.ts";

/** What a person's desktop has and a test machine has not: a screen, and the bus over which programs find each other. */
export interface Desktop extends AsyncDisposable {
  environment: { DISPLAY: string; DBUS_SESSION_BUS_ADDRESS: string };
  /** What programs have said to each other over the bus by now, as text for people. */
  busTraffic(): string;
}

const BUS = fileURLToPath(new URL("session-bus.conf", import.meta.url));

/** Starts a screen that nobody sees, and a bus. */
export async function startDesktop(): Promise<Desktop> {
  const screen = ["-screen", "0", "1440x960x24", "-nolisten", "tcp", "-displayfd", "1"];
  const display = await startProgram("Xvfb", screen, process.env);
  const DISPLAY = `:${display.firstLine}`;
  let bus: Program;
  try {
    bus = await startProgram("dbus-daemon", [`--config-file=${BUS}`, "--nofork", "--print-address"], process.env);
  } catch (error) {
    await display[Symbol.asyncDispose]();
    throw error;
  }
  const monitor = spawn("dbus-monitor", ["--address", bus.firstLine], { stdio: ["ignore", "pipe", "inherit"] });
  let traffic = "";
  monitor.stdout.setEncoding("utf8").on("data", (text: string) => {
    traffic += text;
  });
  return {
    busTraffic: () => traffic,
    environment: { DISPLAY, DBUS_SESSION_BUS_ADDRESS: bus.firstLine },
    async [Symbol.asyncDispose]() {
      monitor.kill();
      await bus[Symbol.asyncDispose]();
      await display[Symbol.asyncDispose]();
    },
  };
}
