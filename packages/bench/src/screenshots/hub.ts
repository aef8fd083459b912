import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { BATCH_TYPE, type BytesFrame, encodeBatch, hubPath } from "@sm/core";
import { HubStack } from "../hub/hub-stack.ts";
import type { ChromiumPage } from "../measure/chromium.ts";
import { clicked } from "./acts.ts";
import type { Home } from "./home.ts";

const pack = promisify(brotliCompress);

/** Where sessions are said to be from, instead of the folder that they were written to. */
const HOME = "/home/ada";
/** The project that ada shares, and the one that somebody else does. */
const [OWN, OTHERS] = [`${HOME}/lantern`, "orchard-api"];
/** Sessions that are sent: more than a list shows. */
const MOST = 60;

/** Something of the page of a hub to take a picture of. */
export interface HubScreen {
  name: string;
  address(hub: PicturedHub): string;
  /** Selector of what has to be there. */
  shows: string;
  act?(page: ChromiumPage): Promise<void>;
}

export interface PicturedHub extends AsyncDisposable {
  url: string;
  /** Of ada. */
  token: string;
  /** Path on the hub of the session that is shown. */
  showcase: string;
}

export const HUB_SCREENS: readonly HubScreen[] = [
  {
    name: "hub",
    address: ({ showcase }) => `/session?${new URLSearchParams({ path: showcase })}`,
    shows: ".entry",
  },
  {
    name: "hub-share",
    address: () => `/?${new URLSearchParams({ project: OWN })}`,
    shows: "[aria-label='Share project']",
    async act(page) {
      await clicked(page, "[aria-label='Share project']");
      await page.until(`document.querySelector("[role=dialog] [role=checkbox]") !== null`);
    },
  },
];

/** Starts a hub to which ada and grace have sent sessions of an invented home, each with a machine or two. */
export async function startPicturedHub(directory: string, home: Home): Promise<PicturedHub> {
  const stack = await HubStack.start(directory);
  const { token } = await stack.newUser("ada");
  const { token: ofGrace } = await stack.newUser("grace");
  for (const name of ["joan", "katherine"]) await stack.newUser(name);
  const machines = { laptop: randomUUID(), tower: randomUUID(), workstation: randomUUID() };
  const shown = basename(home.showcase);
  let sent = 0;
  for (const path of [home.showcase, ...[...home.byTitle.values()].filter((path) => path !== home.showcase)]) {
    if (sent === MOST) break;
    const content = readFileSync(path, "utf8").replaceAll(home.folder, HOME);
    const isOfGrace = content.slice(0, 500).includes(`${HOME}/${OTHERS}`);
    const machine = isOfGrace ? "workstation" : sent % 3 === 1 ? "tower" : "laptop";
    await send(stack, isOfGrace ? ofGrace : token, { id: machines[machine], name: machine }, basename(path), content);
    sent++;
  }
  const count = async () => (await stack.command<{ total: number }>(0, token, "list_sessions", {})).total;
  const isReady = async () => (await stack.command<{ pending: number }>(0, token, "list_sessions", {})).pending === 0;
  while ((await count()) === 0 || !(await isReady())) await new Promise((resolve) => setTimeout(resolve, 100));
  await stack.command(0, ofGrace, "share_project", { project: `${HOME}/${OTHERS}`, everybody: true });
  const users = await stack.command<{ id: string; name: string }[]>(0, token, "list_hub_users", {});
  const chosen = users.filter(({ name }) => name === "grace").map(({ id }) => id);
  await stack.command(0, token, "share_project", { project: OWN, users: chosen });
  return {
    url: stack.urls[0] ?? "",
    token,
    showcase: hubPath(machines.laptop, pathOf(shown)),
    [Symbol.asyncDispose]: () => stack.close(),
  };
}

function pathOf(name: string): string {
  return join(HOME, ".pi/agent/sessions", name);
}

async function send(
  stack: HubStack,
  token: string,
  machine: { id: string; name: string },
  name: string,
  content: string,
): Promise<void> {
  const bytes = new TextEncoder().encode(content);
  const frame: BytesFrame = {
    ...{ kind: "bytes", path: pathOf(name), session_id: name, generation: randomUUID(), owner_path: null },
    ...{ format: "pi", mode: 0o600, modified_at: Date.now(), offset: 0, size: bytes.length },
  };
  const answer = await fetch(`${stack.urls[0]}/api/hub`, {
    method: "POST",
    headers: { "Content-Type": BATCH_TYPE, Authorization: `Bearer ${token}` },
    body: await pack(encodeBatch(machine, [{ frame, bytes }])),
  });
  if (!answer.ok) throw new Error(`The hub does not take ${name}: ${await answer.text()}`);
}
