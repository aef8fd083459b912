/** What the page consists of, as built. */
export interface Shell {
  /** Differs with every build. */
  version: string;
  /** Files that the first screen needs, as paths. */
  files: readonly string[];
}

export type Handling = "page" | "asset" | "file" | "network";

/** How a request to the service is answered: nothing of what is a user's is ever kept. */
export function handlingOf({ method, mode, url }: Pick<Request, "method" | "mode" | "url">, origin: string): Handling {
  const { origin: target, pathname } = new URL(url);
  if (method !== "GET" || target !== origin) return "network";
  // Their names have a hash of what is in them.
  if (pathname.startsWith("/assets/")) return "asset";
  if (mode === "navigate") return isAddress(pathname) ? "page" : "network";
  return /^\/[\w-]+\.(js|svg|png|webmanifest)$/.test(pathname) ? "file" : "network";
}

/** Whether this is an address within the page, and not a download, a shared page or another file. */
function isAddress(path: string): boolean {
  return !/^\/(api|share)\//.test(path) && !path.slice(path.lastIndexOf("/")).includes(".");
}
