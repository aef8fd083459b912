import { fileStem } from "./file-name.ts";
import type { FoldState } from "./fold-state.ts";
import { cut, oneLine } from "./text.ts";

const TITLE_LENGTH = 200;

/** The title of a record. */
export function titleOf({ name, header, told_title: told, first_message: first }: FoldState, path: string): string {
  for (const text of [name, header?.title, told, first]) {
    const title = titleOfName(text ?? "");
    if (title !== "") return title;
  }
  return cut(fileStem(path), TITLE_LENGTH);
}

/** The title of a session with this name; empty if it has no visible character. */
export function titleOfName(name: string): string {
  return oneLine(name, TITLE_LENGTH);
}
