import type { ChromiumPage } from "../measure/chromium.ts";
import { CONTROL, clicked, folded, pressed, SHIFT, sharing, textClicked, typed, unfolded } from "./acts.ts";
import type { Home } from "./home.ts";

/** What there is to see besides stored sessions: IDs, and the path of the link to a shared session. */
export interface Begun {
  session: string;
  terminal: string;
  link: string;
}

/** Something of the page to take a picture of. */
export interface Screen {
  name: string;
  address(home: Home, begun: Begun): string;
  /** Selector of what has to be there. */
  shows: string;
  /** Whether the list warns of sessions that expire, which it does until that is dismissed. */
  isWarning?: boolean;
  /** What is done before the picture is taken. */
  act?(page: ChromiumPage): Promise<void>;
}

const session =
  (more: Record<string, string> = {}) =>
  ({ showcase }: Home) =>
    `/session?${new URLSearchParams({ path: showcase, ...more })}`;

/** Shows the statistics by agent; tells whether they are there. */
const SCROLL_TO_AGENTS = `(() => {
  const titles = [...document.querySelectorAll("main section h2")];
  const title = titles.find(({ textContent }) => textContent === "Agents");
  title?.scrollIntoView();
  return title !== undefined;
})()`;

const CANVAS = "main canvas, main svg";

const survey =
  (more: Record<string, string> = {}) =>
  ({ survey }: Home) =>
    `/session?${new URLSearchParams({ path: survey, ...more })}`;

/** Opens the first of the files that a session has changed. */
async function showDiff(page: ChromiumPage): Promise<void> {
  await clicked(page, ".changed-files li:nth-child(2) button");
  await page.until(`document.querySelector(".changed-diff ins") !== null`);
}

/** Opens a hit, beside which the results stay. */
async function readHit(page: ChromiumPage): Promise<void> {
  await clicked(page, "[data-results] a[href*='entry=']");
  await page.until(`document.querySelector(".entry") !== null`);
}

/** Opens the menu of a tag, with what it can become one with. */
async function merging(page: ChromiumPage): Promise<void> {
  await page.until(
    `document.querySelector("button[aria-label='Menu'], button[aria-label='Actions for Bugs']") !== null`,
  );
  await page.evaluate(`(() => {
    const menu = document.querySelector("button[aria-label='Menu']");
    if (menu?.checkVisibility() === true) menu.click();
  })()`);
  await textClicked(page, "button", "Actions for Bugs");
  await textClicked(page, "[role=menuitem]", "Merge into");
  await page.until(`document.querySelectorAll("[role=menu]").length > 1`);
}

/** Every screen of the page. */
export const SCREENS: readonly Screen[] = [
  { name: "list", address: () => "/", shows: "[role=grid] [role=row]" },
  { name: "archive", address: () => "/?archived=1", shows: "[role=grid] [role=row]" },
  {
    name: "expiring",
    address: () => "/?q=is:expiring",
    shows: "section[aria-label='Sessions that expire']",
    isWarning: true,
  },
  { name: "projects", address: () => "/?group=project", shows: "[role=grid] [role=row]" },
  { name: "transcript", address: session(), shows: ".entry table" },
  {
    name: "subagents",
    address: ({ delegated }) => `/session?${new URLSearchParams({ path: delegated })}`,
    shows: ".subagent",
    act: unfolded,
  },
  { name: "branches", address: session({ panel: "tree" }), shows: ".entry table" },
  { name: "runs", address: survey(), shows: ".entry", act: folded },
  { name: "changes", address: survey({ panel: "changes" }), shows: ".changed-files li", act: showDiff },
  { name: "prompts", address: session({ panel: "prompts" }), shows: ".entry table" },
  { name: "find", address: session({ find: "retry" }), shows: ".find-bar" },
  { name: "search", address: () => "/search?q=retry", shows: "main mark" },
  { name: "search-start", address: () => "/search", shows: "main input" },
  { name: "search-beside", address: () => "/search?q=retry", shows: "main mark", act: readHit },
  {
    name: "search-fields",
    address: () => "/search",
    shows: "main input[type=search]",
    act: async (page) => {
      await typed(page, "main input[type=search]", "tool:");
      await page.until(`document.querySelector("[role=listbox] [role=option]") !== null`);
    },
  },
  {
    name: "palette",
    address: session(),
    shows: ".entry table",
    act: pressed("k", CONTROL),
  },
  { name: "shortcuts", address: () => "/", shows: "[role=grid] [role=row]", act: pressed("?", SHIFT) },
  { name: "export", address: session(), shows: ".entry table", act: pressed("E", CONTROL | SHIFT) },
  { name: "share", address: session(), shows: ".entry table", act: sharing },
  { name: "shared", address: (_, { link }) => link, shows: "main table" },
  { name: "statistics", address: () => "/statistics", shows: CANVAS },
  {
    name: "statistics-agents",
    address: () => "/statistics?measure=cost",
    shows: CANVAS,
    act: (page) => page.until(SCROLL_TO_AGENTS),
  },
  {
    name: "statistics-stacked",
    address: () => "/statistics?period=90-days&measure=cost&stack=project",
    shows: CANVAS,
  },
  {
    name: "budget",
    address: () => "/statistics?period=30-days&measure=cost",
    shows: CANVAS,
    act: async (page) => {
      await textClicked(page, "main button", "Set a budget");
      await page.until(`document.querySelector("[role=dialog] input") !== null`);
    },
  },
  { name: "tags", address: () => "/", shows: "[role=grid] [role=row]", act: merging },
  {
    name: "start",
    address: () => "/live",
    shows: "main [data-row]",
    act: async (page) => {
      await textClicked(page, "main button", "New");
      await page.until(`document.querySelector("[role=dialog] textarea") !== null`);
      await typed(page, "[role=dialog] textarea", "Draft the release notes of 2.5 from the commits since 2.4.");
    },
  },
  { name: "board", address: () => "/live", shows: "main [data-row]" },
  { name: "live", address: (_, begun) => `/live?session=${begun.session}`, shows: "main textarea" },
  { name: "terminals", address: (_, begun) => `/terminals?id=${begun.terminal}`, shows: ".xterm" },
  ...[
    "sessions",
    "vault",
    "agents",
    "appearance",
    "server",
    "models",
    "skills",
    "prompts",
    "api-keys",
    "versions",
    "about",
  ].map(
    (part): Screen => ({ name: `settings-${part}`, address: () => `/settings/${part}`, shows: "main h2, main h1" }),
  ),
];
