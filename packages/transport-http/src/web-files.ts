import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { EXPORT_SCRIPT_HASH } from "@sm/core";

/** The built files of the web page. They contain no user data. */
export interface WebFiles {
  /** Whether this is a file of the page, or an address inside it. */
  has(path: string, headers: IncomingHttpHeaders): boolean;
  /** Responds to a request that `has` accepted; `null` if the file no longer exists. */
  answer(path: string, headers: IncomingHttpHeaders): Promise<WebAnswer | null>;
}

export interface WebAnswer {
  status: 200 | 304;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | null;
}

const START = "/index.html";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Encodings that the build has written beside the files, best first. */
const CODINGS = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;

/**
 * Inline style attributes are needed for scrolling lists; scripts only come from files of this service. Exported pages
 * are shown in sandboxed blob frames, which inherit this policy: it allows their one script, and `frame-ancestors` must
 * allow this page, or the frames stay empty in Safari and WebKitGTK.
 */
const POLICY = [
  "default-src 'none'",
  `script-src 'self' '${EXPORT_SCRIPT_HASH}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "frame-src blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/**
 * Lists the files of a built page. Serves only files that exist now, by exact name, so no path can leave the directory.
 *
 * @returns `null` if there is no page.
 */
export async function openWebFiles(directory: string): Promise<WebFiles | null> {
  const files = await listFiles(directory);
  if (!files.has(START)) return null;

  return {
    has: (path, headers) => fileFor(path, headers) !== null,

    async answer(path, headers) {
      const name = fileFor(path, headers);
      if (name === null) return null;
      const codings = CODINGS.filter(({ suffix }) => files.has(name + suffix));
      const coding = codings.find((one) => accepts(headers["accept-encoding"], one.name));
      const bytes = await read(name + (coding?.suffix ?? ""));
      if (bytes === null) return null;
      const tag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
      const isPage = name.endsWith(".html");
      const answerHeaders = {
        "Cache-Control": name.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
        ETag: tag,
        ...(codings.length > 0 && { Vary: "Accept-Encoding" }),
        ...(isPage && { "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer" }),
      };
      if (hasTag(headers["if-none-match"], tag)) return { status: 304, headers: answerHeaders, body: null };
      const contentHeaders = {
        "Content-Type": MEDIA_TYPES[extname(name)] ?? "application/octet-stream",
        ...(coding !== undefined && { "Content-Encoding": coding.name }),
      };
      return { status: 200, headers: { ...answerHeaders, ...contentHeaders }, body: bytes };
    },
  };

  function fileFor(path: string, headers: IncomingHttpHeaders): string | null {
    if (path !== START && files.has(path) && !CODINGS.some(({ suffix }) => path.endsWith(suffix))) return path;
    return isAddress(path, headers) ? START : null;
  }

  async function read(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const path = files.get(name);
    if (path === undefined) return null;
    try {
      return await readFile(path);
    } catch (error) {
      // A new build has replaced the files.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }
}

/** URL paths with file system paths. Empty if the directory does not exist. */
async function listFiles(directory: string): Promise<ReadonlyMap<string, string>> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return new Map(paths.map((path) => [`/${relative(directory, path).split(sep).join("/")}`, path]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Map();
    throw error;
  }
}

/** An address that a user may open in the browser, as opposed to a missing file or a program's request. */
function isAddress(path: string, { accept = "" }: IncomingHttpHeaders): boolean {
  if (path === "/") return true;
  return !path.startsWith("/api/") && !path.slice(path.lastIndexOf("/")).includes(".") && accept.includes("text/html");
}

/** Whether a client accepts an encoding (RFC 9110, 12.5.3). */
function accepts(header: string | string[] | undefined, coding: string): boolean {
  return String(header ?? "")
    .split(",")
    .map((part) => part.split(";").map((text) => text.trim().toLowerCase()))
    .some(([name, weight]) => name === coding && !/^q=0(\.0*)?$/.test(weight ?? ""));
}

function hasTag(header: string | undefined, tag: string): boolean {
  return (header ?? "").split(",").some((part) => part.trim().replace(/^W\//, "") === tag);
}
