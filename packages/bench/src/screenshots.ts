import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Chromium, type ChromiumPage } from "./measure/chromium.ts";
import { programUrl } from "./measure/program-url.ts";
import { Service } from "./measure/service.ts";
import { type Home, writeHome } from "./screenshots/home.ts";
import { HUB_SCREENS, startPicturedHub } from "./screenshots/hub.ts";
import { beginWork } from "./screenshots/running-work.ts";
import { type Begun, SCREENS, type Screen } from "./screenshots/screens.ts";
import { organise, writeSurroundings } from "./screenshots/surroundings.ts";

// Takes a picture of every screen, light, dark and as wide as a phone, with sessions of an invented home:
// screenshots.js DIRECTORY [SCREEN]...

/** What comes to rest in a screen that is there: pictures of pages, charts, what is highlighted. */
const SETTLING_MS = 1_000;

const LOOKS = {
  light: { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false, scheme: "light" },
  dark: { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false, scheme: "dark" },
  phone: { width: 390, height: 844, deviceScaleFactor: 2, mobile: true, scheme: "light" },
} as const;

const [directory = "docs/screenshots", ...names] = process.argv.slice(2);
const isWanted = ({ name }: { name: string }) => names.length === 0 || names.includes(name);
const screens = SCREENS.filter(isWanted);
const hubScreens = HUB_SCREENS.filter(isWanted);
const folder = mkdtempSync(join(tmpdir(), "ada-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
mkdirSync(directory, { recursive: true });

const home = writeHome(folder, Date.now());
const { shell } = writeSurroundings(home);
const state = join(folder, "state");
mkdirSync(join(state, "config"), { recursive: true });
const agent = join(folder, "pi");
writeFileSync(agent, `#!/bin/sh\nexec '${process.execPath}' '${fileURLToPath(programUrl("conversing-agent"))}'\n`);
chmodSync(agent, 0o755);
writeFileSync(
  join(state, "config", "session-manager.json"),
  JSON.stringify({
    agent_command: agent,
    agents: { "claude-code": { enabled: true, homes: [home.claude] } },
    // Links need somebody else who could follow them.
    sharing: { enabled: true },
    allowed_hosts: ["sessions.example.org"],
    allowed_origins: ["https://sessions.example.org"],
  }),
);
const service = await Service.start(folder, state);
const chromium = await Chromium.start(join(folder, "profile"));
try {
  if (chromium === null) throw new Error("Pictures need chromium.");
  await service.ready();
  await organise(service, home);
  const begun = await begin(service, home, shell);
  for (const { address, ...screen } of screens) {
    await takePictures(chromium, { ...screen, address: service.process.url + address(home, begun) });
  }
  if (hubScreens.length > 0) {
    await using hub = await startPicturedHub(join(folder, "hub"), home);
    for (const { address, ...screen } of hubScreens) {
      const url = new URL(hub.url + address(hub));
      url.searchParams.set("token", hub.token);
      await takePictures(chromium, { ...screen, address: url.href });
    }
  }
} finally {
  await chromium?.stop();
  await service.process.stop();
}

/** Starts a session and a terminal and shares a session, so that there is something to see of them. */
async function begin(service: Service, home: Home, shell: string): Promise<Begun> {
  const { project, showcase } = home;
  const prompt = "Fix the rate limiter: one who is refused keeps asking and is never let in again.";
  const { session_id: session } = (await service.command("start_coding_session", {
    cwd: project,
    name: "Fix the rate limiter",
  })) as { session_id: string };
  await service.command("send_coding_agent_rpc", { session_id: session, prompt });
  const { id: terminal } = (await service.command("create_terminal", { cwd: project, shell })) as { id: string };
  const { url } = (await service.command("share_session", { path: showcase })) as { url: string };
  await beginWork(service, home);
  return { session, terminal, link: new URL(url).pathname };
}

type Pictured = Omit<Screen, "address"> & { address: string };

async function takePictures(chromium: Chromium, screen: Pictured): Promise<void> {
  for (const look of Object.keys(LOOKS) as (keyof typeof LOOKS)[]) {
    const path = resolve(directory, `${screen.name}-${look}.png`);
    try {
      writeFileSync(path, await takePicture(chromium, screen, look));
    } catch (error) {
      // The others are still worth having.
      process.stderr.write(`${screen.name}, ${look}: ${error instanceof Error ? error.message : error}\n`);
      process.exitCode = 1;
    }
  }
}

async function takePicture(
  chromium: Chromium,
  { address, shows, act, isWarning }: Pictured,
  look: keyof typeof LOOKS,
): Promise<Buffer> {
  const page = await chromium.newPage();
  try {
    const { scheme, ...metrics } = LOOKS[look];
    await page.send("Emulation.setDeviceMetricsOverride", metrics);
    await page.send("Emulation.setTouchEmulationEnabled", { enabled: metrics.mobile });
    await page.send("Emulation.setEmulatedMedia", {
      features: [
        { name: "prefers-color-scheme", value: scheme },
        { name: "prefers-reduced-motion", value: "reduce" },
      ],
    });
    await page.send("Emulation.setScrollbarsHidden", { hidden: metrics.mobile });
    // What is told once is not in every picture.
    const source = `localStorage.setItem("session-manager.known-agents", '["claude-code"]');`;
    const dismissed = isWarning === true ? "" : `localStorage.setItem("session-manager.expiry-told", '"9999"');`;
    await page.send("Page.addScriptToEvaluateOnNewDocument", { source: source + dismissed });
    await page.send("Page.navigate", { url: address });
    await page.until(`document.querySelector(${JSON.stringify(shows)}) !== null`);
    await act?.(page);
    await settle(page);
    const { data } = await page.send("Page.captureScreenshot", { format: "png", optimizeForSpeed: false });
    return Buffer.from(String(data), "base64");
  } finally {
    await page.close();
  }
}

async function settle(page: ChromiumPage): Promise<void> {
  await page.until(`document.querySelector("progress, [class*='breathe_1.6s']") === null`);
  await pause(SETTLING_MS);
}
