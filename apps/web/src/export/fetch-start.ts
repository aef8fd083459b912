import type { Service } from "../client/service.ts";
import { fetchExport } from "./fetch-export.ts";

/** The beginning of an export. */
export interface ExportStart {
  text: string;
  isWhole: boolean;
}

/**
 * Reads an export from its beginning and lets go of the rest, whatever its size.
 *
 * @param most bytes.
 */
export async function fetchStart(
  service: Service,
  address: string,
  most: number,
  signal: AbortSignal,
): Promise<ExportStart> {
  const { body } = await fetchExport(service, address, signal);
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isWhole: true };
    const rest = value.subarray(0, most - bytes);
    text += decoder.decode(rest, { stream: true });
    bytes += rest.length;
    if (rest.length === value.length) continue;
    void reader.cancel();
    return { text, isWhole: false };
  }
}
