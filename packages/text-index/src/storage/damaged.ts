import { IndexError } from "./index-error.ts";

/** What a decoder throws at bytes that no encoder has written. */
export function damaged(what: string): IndexError {
  return new IndexError("damaged", `The text index is damaged. ${what}`);
}
