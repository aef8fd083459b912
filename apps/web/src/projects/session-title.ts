import type { SessionRecord } from "@sm/router/client";
import { promptText } from "../i18n/prose-text.ts";
import { t } from "../i18n/text.ts";
import { projectName } from "./project-name.ts";

/**
 * What a session is called: by its name, else by its title without marks of Markdown. One that says nothing yet is named
 * by its project, not by its file.
 */
export function sessionTitle(record: SessionRecord): string {
  const { name, title, first_message, message_count, path, cwd } = record;
  const isOfFile = name === null && first_message === null && message_count === 0 && fileName(path).startsWith(title);
  if (isOfFile) return newSessionTitle(cwd);
  return name === null ? promptText(title) || title : title;
}

/** What a session in a folder is called until something is said in it. */
export function newSessionTitle(cwd: string | null): string {
  return cwd === null ? t("list.new_session") : t("list.new_session_in", { project: projectName(cwd) });
}

const fileName = (path: string) => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
