import { spawn } from "node:child_process";

/** The program, with arguments, that opens a URL in the default browser. */
export function browserCommand(platform: NodeJS.Platform, url: string): [program: string, ...arguments: string[]] {
  if (platform === "darwin") return ["open", url];
  // "start" is a shell command; this is what it calls.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return ["xdg-open", url];
}

/** Opens a URL in the default browser without waiting for it. `failed` is called if there is no such program. */
export function openBrowser(url: string, failed: (error: Error) => void): void {
  const [program, ...args] = browserCommand(process.platform, url);
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.on("error", failed);
  child.unref();
}
