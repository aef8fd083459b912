import { expect, it } from "vitest";
import { type Handling, handlingOf } from "./shell.ts";

const ORIGIN = "https://sessions.example.org";

it.each<[method: string, mode: RequestMode, url: string, handling: Handling]>([
  ["GET", "navigate", "/", "page"],
  ["GET", "navigate", "/session?path=%2Fa.jsonl", "page"],
  ["GET", "navigate", "/settings/vault", "page"],
  ["GET", "navigate", "/api/export?path=%2Fa.jsonl", "network"],
  ["GET", "navigate", "/share/abc", "network"],
  ["GET", "navigate", "/openapi.json", "network"],
  ["GET", "no-cors", "/assets/page-1a2b.js", "asset"],
  ["GET", "cors", "/assets/inter.woff2", "asset"],
  ["GET", "no-cors", "/start.js", "file"],
  ["GET", "no-cors", "/icon.svg", "file"],
  ["GET", "no-cors", "/manifest.webmanifest", "file"],
  ["POST", "cors", "/api", "network"],
  ["POST", "navigate", "/", "network"],
  ["GET", "cors", "/api/events", "network"],
  ["GET", "cors", "/health", "network"],
  ["GET", "cors", "/metrics", "network"],
  ["GET", "cors", "/", "network"],
  ["GET", "no-cors", "https://elsewhere.example.org/assets/a.js", "network"],
])("%s %s %s: %s", (method, mode, url, handling) => {
  expect(handlingOf({ method, mode, url: new URL(url, ORIGIN).href }, ORIGIN)).toBe(handling);
});
