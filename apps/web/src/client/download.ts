import type { Service } from "./service.ts";

/** Has the browser save what a path of the service answers with, under the name that the service gives it. */
export async function download(service: Service, path: string): Promise<void> {
  const token = service.token();
  if (token === null) return save(path, "");
  // Not in the address, which proxies write to their logs; so it passes through the page's memory.
  const response = await fetch(path, { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`The download failed with HTTP ${response.status}.`);
  saveBlob(await response.blob(), fileNameIn(response.headers.get("Content-Disposition")));
}

/** Has the browser save a text as a file. */
export function saveText(text: string, fileName: string, mediaType: string): void {
  saveBlob(new Blob([text], { type: mediaType }), fileName);
}

/** Has the browser save bytes as a file. */
export function saveBase64(base64: string, fileName: string, mediaType: string): void {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  saveBlob(new Blob([bytes], { type: mediaType }), fileName);
}

function saveBlob(blob: Blob, fileName: string): void {
  const content = URL.createObjectURL(blob);
  save(content, fileName);
  setTimeout(() => URL.revokeObjectURL(content), 60_000);
}

/** Reads the name of a download. */
export function fileNameIn(disposition: string | null): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? "")?.[1];
  return encoded === undefined ? "sessions" : decodeURIComponent(encoded);
}

/** Follows a link to an attachment: the page stays. */
function save(url: string, fileName: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
}
