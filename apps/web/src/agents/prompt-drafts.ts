/** An image that goes with a prompt. */
export interface PromptImage {
  id: string;
  name: string;
  mimeType: string;
  /** Base64. */
  data: string;
}

/** Unsent input. */
export interface Draft {
  text: string;
  images: readonly PromptImage[];
}

export const EMPTY_DRAFT: Draft = { text: "", images: [] };

/** The service takes no longer prompt. */
export const MAX_PROMPT_LENGTH = 1_048_576;

const STORED = "session-manager.drafts";
const MAX_DRAFTS = 50;

/** Drafts are kept as long as the tab is open, images as long as the page is. */
const drafts = load();

/** What was typed for a session, and not sent. */
export function draftOf(sessionId: string): Draft {
  return drafts.get(sessionId) ?? EMPTY_DRAFT;
}

export function keepDraft(sessionId: string, draft: Draft): void {
  drafts.delete(sessionId);
  if (draft.text === "" && draft.images.length === 0) return;
  drafts.set(sessionId, draft);
  const [oldest] = drafts.keys();
  if (drafts.size > MAX_DRAFTS && oldest !== undefined) drafts.delete(oldest);
}

function load(): Map<string, Draft> {
  globalThis.addEventListener?.("pagehide", () => {
    try {
      const texts = [...drafts].map(([sessionId, { text }]) => [sessionId, text]);
      sessionStorage.setItem(STORED, JSON.stringify(texts));
    } catch {
      // Without storage, or with a full one, drafts are those of this page.
    }
  });
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? "[]");
    const texts = Array.isArray(stored) ? stored.filter(isText) : [];
    return new Map(texts.map(([sessionId, text]) => [sessionId, { ...EMPTY_DRAFT, text }]));
  } catch {
    return new Map();
  }
}

function isText(stored: unknown): stored is [string, string] {
  return Array.isArray(stored) && stored.length === 2 && stored.every((part) => typeof part === "string");
}
