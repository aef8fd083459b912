import { IndexError } from "./index-error.ts";

/** Error of a decoder for invalid bytes. */
export function damaged(what: string): IndexError {
  return new IndexError("damaged", `The text index is damaged. ${what}`);
}
