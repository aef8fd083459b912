import { Branches } from "./branch-switch.ts";
import { showContents } from "./contents-panel.ts";
import { addCopyButtons, copyFrom } from "./copy.ts";
import { openAll } from "./details.ts";
import { FindBar } from "./find-bar.ts";
import { allParts, onSight, packedHtml, unpack } from "./page-parts.ts";
import { goToPrompt, markPrompts } from "./prompt-navigation.ts";
import { restoreTheme, switchTheme } from "./theme.ts";

// The script is in the head: what affects the style is set before the first paint, the rest when the page is complete.
// The page is readable without it.
document.documentElement.classList.add("js");
restoreTheme();

document.addEventListener("DOMContentLoaded", () => {
  const branches = new Branches();
  const find = new FindBar();

  const actions: Record<string, (button: HTMLElement) => void> = {
    find: () => find.open(),
    "find-next": () => find.step(1),
    "find-previous": () => find.step(-1),
    "find-close": () => find.close(),
    thinking: (button) => openAll("thinking", isNowPressed(button)),
    tools: (button) => openAll("call", isNowPressed(button)),
    theme: switchTheme,
    "all-branches": (button) => document.documentElement.classList.toggle("all-branches", isNowPressed(button)),
    copy: copyFrom,
  };
  const press = (action: string) => document.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click();
  const keys: Record<string, () => void> = {
    j: () => goToPrompt(1),
    k: () => goToPrompt(-1),
    "/": () => press("find"),
    t: () => press("thinking"),
    o: () => press("tools"),
    d: () => press("theme"),
    c: () => showContents(".prompts.shown a"),
    b: () => showContents(".tree a"),
    "?": () => document.querySelector<HTMLElement>("#help")?.togglePopover(),
  };

  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const button = event.target.closest<HTMLElement>("button[data-action]");
    if (button !== null) actions[button.dataset.action ?? ""]?.(button);
    const link = event.target.closest<HTMLAnchorElement>('a[href^="#"]');
    if (link !== null) branches.follow(link, event);
  });
  document.addEventListener("keydown", (event) => {
    // The browser's own search does not find packed text.
    const isBrowsersFind = event.key === "f" && event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;
    if (isBrowsersFind && !isTyping(event.target) && allParts().some((part) => packedHtml(part) !== null)) {
      event.preventDefault();
      find.open();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return;
    const allowed = document.querySelector<HTMLInputElement>('[data-action="keys"]')?.checked ?? true;
    if (!allowed || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]?.();
  });
  window.addEventListener("beforeprint", () => allParts().forEach(unpack));
  window.addEventListener("hashchange", () => branches.showTarget());
  onSight((part) => {
    addCopyButtons(part);
    markPrompts(part);
  });
  branches.showTarget();
});

function isNowPressed(button: HTMLElement): boolean {
  const isPressed = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isPressed));
  return isPressed;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("input:not([type=checkbox]), textarea, select");
}
