import { pageBudget } from "@sm/core/rendering";
import { useEffect, useRef, useState } from "react";
import type { RenderedHtml } from "./markup.tsx";
import { coloredDiff, type Diff } from "./rendered.ts";

/** Where the language of a piece of code is known from: the word behind a fence, or the path of a file. */
export type LanguageHint = { word: string } | { path: string };

/** Highlighted code; `language` is `null` if it is unknown. */
export interface Highlighted {
  html: RenderedHtml | null;
  language: string | null;
}

/** UTF-16 units, in windows, that one piece of code is worth: 50 ms of honest code. The rest of it stays plain. */
const WORTH = 128 * 1024;
/** Pieces that are not highlighted again when one scrolls back to them: how many, and UTF-16 units of all. */
const MAX_KEPT = 200;
const MAX_KEPT_SIZE = 4 * 1024 * 1024;

type Grammars = typeof import("@sm/core/highlighting");

let loading: Promise<Grammars> | null = null;
let grammars: Grammars | null = null;
const kept = new Map<string, Highlighted>();
let keptSize = 0;

/** Highlights code when the browser has time for it; `null` until then. The grammars come with the first piece. */
export function useHighlighted(code: string, hint: LanguageHint | null): Highlighted | null {
  const key = hint === null || code === "" ? null : `${"word" in hint ? hint.word : hint.path}\n${code}`;
  const known = key === null ? null : (kept.get(key) ?? null);
  useGrammars(key !== null && known === null ? key : null, (loaded) => {
    if (key !== null && hint !== null) keep(key, highlightedWith(loaded, code, hint));
  });
  return known;
}

/** Diffs with the colours of their code; gone with them. */
const colored = new WeakMap<Diff, RenderedHtml | null>();

/** Highlights the code of a diff when the browser has time for it; `null` until then, and where there is nothing to it. */
export function useColoredDiff(diff: Diff, path: string | null): RenderedHtml | null {
  const isWanted = path !== null && diff.lines !== null && !colored.has(diff);
  useGrammars(isWanted ? diff : null, ({ highlightCode, languageOfPath }) => {
    const language = languageOfPath(path ?? "");
    const budget = { ...pageBudget(), highlighting: WORTH };
    const highlight = (code: string) => highlightCode(code, language, budget).html;
    colored.set(diff, language === null || diff.lines === null ? null : coloredDiff(diff.lines, highlight));
  });
  return colored.get(diff) ?? null;
}

/** Runs once for each other `wanted`, when the browser has time and the grammars are there; renders afterwards. */
function useGrammars(wanted: unknown, run: (loaded: Grammars) => void): void {
  const [, setTurn] = useState(0);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (wanted === null) return;
    let isGone = false;
    let handle: number | null = null;
    const begin = (loaded: Grammars) => {
      if (isGone) return;
      handle = whenIdle(() => {
        latest.current(loaded);
        setTurn((turn) => turn + 1);
      });
    };
    if (grammars !== null) begin(grammars);
    else void loadGrammars().then(begin, () => {});
    return () => {
      isGone = true;
      if (handle !== null) cancelIdle(handle);
    };
  }, [wanted]);
}

async function loadGrammars(): Promise<Grammars> {
  loading ??= import("@sm/core/highlighting");
  try {
    grammars = await loading;
    return grammars;
  } catch (error) {
    // The next piece of code tries again.
    loading = null;
    throw error;
  }
}

function highlightedWith(
  { highlightCode, languageNamed, languageOfPath }: Grammars,
  code: string,
  hint: LanguageHint,
): Highlighted {
  const language = "word" in hint ? languageNamed(hint.word) : languageOfPath(hint.path);
  if (language === null) return { html: null, language };
  const { html } = highlightCode(code, language, { ...pageBudget(), highlighting: WORTH });
  return { html: html as RenderedHtml, language };
}

function keep(key: string, highlighted: Highlighted): void {
  // The same code may stand in two places.
  if (kept.has(key)) return;
  kept.set(key, highlighted);
  keptSize += sizeOf(key, highlighted);
  for (const [oldest, piece] of kept) {
    if (oldest === key || (kept.size <= MAX_KEPT && keptSize <= MAX_KEPT_SIZE)) break;
    kept.delete(oldest);
    keptSize -= sizeOf(oldest, piece);
  }
}

function sizeOf(key: string, { html }: Highlighted): number {
  return key.length + (html?.length ?? 0);
}

// Safari has no idle callbacks.
function whenIdle(run: () => void): number {
  return "requestIdleCallback" in globalThis ? requestIdleCallback(run, { timeout: 500 }) : Number(setTimeout(run, 1));
}

function cancelIdle(handle: number): void {
  if ("cancelIdleCallback" in globalThis) cancelIdleCallback(handle);
  else clearTimeout(handle);
}
