import { oneLine } from "@sm/core";
import { projectName } from "../projects/project-name.ts";

const MAX_TITLE_LENGTH = 80;

/** Makes the name of a tab of what a program calls its window; of its folder where it calls it nothing. */
export function tabTitle(title: string, cwd: string): string {
  const line = oneLine(title, MAX_TITLE_LENGTH).trim();
  return line === "" ? projectName(cwd) : line;
}
