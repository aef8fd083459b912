/** Where a link leads. It goes to a place of the page, and does nothing there. */
type LinkTarget =
  | { to: "/session"; search: { path: string; entry?: string } }
  | { to: "/search"; search: { q: string } }
  | { to: "/live"; search: { session: string } }
  | (typeof SCREENS)[keyof typeof SCREENS];

const SCREENS = {
  sessions: { to: "/" },
  search: { to: "/search" },
  live: { to: "/live" },
  terminals: { to: "/terminals" },
  statistics: { to: "/statistics" },
  settings: { to: "/settings/$", params: { _splat: "" } },
} as const;

const LINK = /^session-manager:\/\/open\/?(?:\?([^#]*))?$/i;
const MOST_CHARACTERS = 8_000;
/** Of what is not a path. */
const MOST_OF_A_VALUE = 1_000;
/** No path begins with two slashes: on Windows that is another machine, which would be asked with the user's account. */
const SESSION_FILE = /^(?:\/(?![\\/])|[A-Za-z]:[\\/](?![\\/])).*\.jsonl(?:\.zst)?$/;
/** Control characters, and what takes the place of bytes that are no text. */
const UNREADABLE = /[\p{Cc}\uFFFD]/u;

/**
 * Reads a link of the application, as docs/desktop.md describes it. `null`: it is none. Any page of the web may have the
 * system open one, so what is not exactly as described is none.
 */
export function readLink(link: string): LinkTarget | null {
  const query = link.length > MOST_CHARACTERS ? null : LINK.exec(link);
  if (query === null) return null;
  const values = valuesOf(query[1] ?? "");
  if (values === null) return null;
  const { path, entry, search, live, screen, ...others } = values;
  if (Object.keys(others).length > 0) return null;
  const subjects = [path, search, live, screen].filter((value) => value !== undefined);
  if (subjects.length > 1 || (entry !== undefined && path === undefined)) return null;
  if (path !== undefined) {
    if (!SESSION_FILE.test(path)) return null;
    return { to: "/session", search: { path, ...(entry !== undefined && { entry }) } };
  }
  if (search !== undefined) return { to: "/search", search: { q: search } };
  if (live !== undefined) return { to: "/live", search: { session: live } };
  if (screen === undefined) return SCREENS.sessions;
  return Object.hasOwn(SCREENS, screen) ? SCREENS[screen as keyof typeof SCREENS] : null;
}

/** Writes the link to an entry of a session. */
export function linkTo(path: string, entry: string): string {
  return `session-manager://open?${new URLSearchParams({ path, entry })}`;
}

/** Each name once, each value a text; `null` where that is not so. */
function valuesOf(query: string): Partial<Record<string, string>> | null {
  const pairs = [...new URLSearchParams(query)];
  const isWrong = ([name, value]: [string, string]) =>
    value === "" || UNREADABLE.test(value) || (name !== "path" && value.length > MOST_OF_A_VALUE);
  if (pairs.some(isWrong)) return null;
  const values = new Map(pairs);
  return values.size === pairs.length ? Object.fromEntries(values) : null;
}
