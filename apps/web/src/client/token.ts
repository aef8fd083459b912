/** Where the page keeps its token: for as long as the tab is open, or for good. */
export interface TokenStore {
  get(): string | null;
  set(token: string, options: { remember: boolean }): void;
  forget(): void;
}

const KEY = "session-manager.token";

/**
 * Makes the store of this browser. A token in the address, `?token=`, is taken out of it, so that it is neither
 * bookmarked nor shared with a link, and holds for this tab.
 */
export function createTokenStore(browser: Window): TokenStore {
  let token = tokenIn(browser);
  takeFromAddress(browser);
  return {
    get: () => token,
    set(next, { remember }) {
      token = next;
      write(browser.sessionStorage, remember ? null : next);
      write(browser.localStorage, remember ? next : null);
    },
    forget() {
      token = null;
      write(browser.sessionStorage, null);
      write(browser.localStorage, null);
    },
  };
}

/** The token that the page begins with. */
export function tokenIn({
  location,
  sessionStorage,
  localStorage,
}: Pick<Window, "location" | "sessionStorage" | "localStorage">): string | null {
  return new URL(location.href).searchParams.get("token") ?? read(sessionStorage) ?? read(localStorage);
}

function takeFromAddress({ location, history, sessionStorage }: Window): void {
  const url = new URL(location.href);
  const token = url.searchParams.get("token");
  if (token === null) return;
  url.searchParams.delete("token");
  history.replaceState(history.state, "", url);
  write(sessionStorage, token);
}

function read(storage: Storage): string | null {
  try {
    return storage.getItem(KEY);
  } catch {
    return null;
  }
}

function write(storage: Storage, token: string | null): void {
  try {
    if (token === null) storage.removeItem(KEY);
    else storage.setItem(KEY, token);
  } catch {
    // Without storage it holds until the page is closed.
  }
}
