import type { ChromiumPage } from "../measure/chromium.ts";
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

const CONTROL = 2;
const SHIFT = 8;

async function press(page: ChromiumPage, key: string, modifiers: number): Promise<void> {
  const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key;
  const text = modifiers & CONTROL ? {} : { text: key };
  await page.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, modifiers, ...text });
  await page.send("Input.dispatchKeyEvent", { type: "keyUp", key, code, modifiers });
}

/** Presses keys when the screen is there, until what they open is there. */
function pressed(key: string, modifiers: number, selector = "[role=dialog]"): NonNullable<Screen["act"]> {
  return async (page) => {
    await press(page, key, modifiers);
    await page.until(`document.querySelector(${JSON.stringify(selector)}) !== null`);
  };
}

/** Unfolds the subagents of a session in the list, where there is one beside. */
async function unfolded(page: ChromiumPage): Promise<void> {
  await page.until(
    `(() => {
      const button = document.querySelector("[role=row] button[aria-expanded=false]");
      button?.click();
      return button !== null || document.querySelector("[role=grid]")?.checkVisibility() !== true;
    })()`,
  );
}

/** Opens the dialog for links by the menu of the session. */
async function sharing(page: ChromiumPage): Promise<void> {
  await page.until(
    `(() => {
      const button = document.querySelector("main button[aria-label='More actions for this session']");
      button?.dispatchEvent(new PointerEvent("pointerdown", { button: 0, bubbles: true }));
      return button !== null;
    })()`,
  );
  await page.until(
    `(() => {
      const item = [...document.querySelectorAll("[role=menuitem]")].find((one) => one.textContent === "Share…");
      item?.click();
      return item !== undefined;
    })()`,
  );
  await page.until(`document.querySelector("[role=dialog] [role=combobox]") !== null`);
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
  { name: "prompts", address: session({ panel: "prompts" }), shows: ".entry table" },
  { name: "find", address: session({ find: "retry" }), shows: ".find-bar" },
  { name: "search", address: () => "/search?q=retry", shows: "main mark" },
  { name: "search-start", address: () => "/search", shows: "main input" },
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
