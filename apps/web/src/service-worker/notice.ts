import type { AgentNews } from "@sm/core";
import { visibleCode } from "@sm/core/rendering";
import { notices as en } from "../i18n/en/notices.ts";
import { notices as zh } from "../i18n/zh/notices.ts";

/** What the service tells devices (`PushNotice` of the server). */
export interface Notice {
  news: AgentNews | "added";
  session_id: string | null;
  title: string;
  text: string | null;
}

/** A notification as it is shown. */
export interface ShownNotice {
  title: string;
  body: string;
  /** A later notification with the same takes its place. */
  tag: string;
  /** Address within the page. */
  url: string;
  /** Whether it stays until somebody looks. */
  stays: boolean;
}

const NEWS: readonly string[] = ["asks", "finished", "failed", "ended", "added"] satisfies Notice["news"][];

/** Reads a message; `null` for one that another version of the service has sent. */
export function readNotice(text: string): Notice | null {
  try {
    const { news, session_id, title, text: line } = JSON.parse(text) as Partial<Record<keyof Notice, unknown>>;
    if (typeof news !== "string" || !NEWS.includes(news) || typeof title !== "string") return null;
    const isText = (value: unknown) => (typeof value === "string" ? value : null);
    return { news: news as Notice["news"], session_id: isText(session_id), title, text: isText(line) };
  } catch {
    return null;
  }
}

/** Whether the browser takes the right to notify from pages that were sent a message and have shown nothing, as Safari does. */
export function mustShowAll(userAgent: string): boolean {
  return /\bAppleWebKit\b/.test(userAgent) && !/Chrom(e|ium)\//.test(userAgent);
}

/** Puts a notice in words. */
export function describeNotice({ news, session_id, title, text }: Notice, language: string): ShownNotice {
  const texts = language === "zh" ? zh : en;
  return {
    title: visibleCode(title),
    body: text === null ? texts[`notices.${news}`] : visibleCode(text),
    tag: session_id ?? news,
    url: session_id === null ? "/settings/appearance" : `/live?session=${encodeURIComponent(session_id)}`,
    stays: news === "asks",
  };
}
