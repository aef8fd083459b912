import { allParts, unpack } from "./page-parts.ts";

/** Below the bar, with a margin. */
const TOP = 96;

let observer: IntersectionObserver | null = null;
let current: Element | null = null;

/** Highlights the current prompt in the contents. */
export function markPrompts(part: Element): void {
  observer ??= new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) if (isIntersecting) mark(target.id);
    },
    // The upper third of the window.
    { rootMargin: "0px 0px -66%" },
  );
  for (const prompt of part.querySelectorAll(".entry-user")) observer.observe(prompt);
}

function mark(id: string): void {
  const link = document.querySelector(`.prompts a[href="#${CSS.escape(id)}"]`);
  if (link === null || link === current) return;
  current?.removeAttribute("aria-current");
  link.setAttribute("aria-current", "location");
  current = link;
  const contents = link.closest<HTMLElement>(".contents");
  if (contents === null) return;
  const { top, bottom } = link.getBoundingClientRect();
  const frame = contents.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) contents.scrollTop += top - frame.top - frame.height / 3;
}

/** Goes to the previous or next prompt. */
export function goToPrompt(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".prompts.shown a")];
  const topOf = (link: HTMLAnchorElement | undefined) => {
    const prompt = document.getElementById(link?.hash.slice(1) ?? "") ?? allParts()[Number(link?.dataset.part)];
    return prompt?.getBoundingClientRect().top ?? 0;
  };
  // Reading the position of an entry forces layout of its part: binary search needs twelve of thousands.
  let from = 0;
  let to = links.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const top = topOf(links[middle]);
    if (step === 1 ? top > TOP : top >= 0) to = middle;
    else from = middle + 1;
  }
  const link = links[step === 1 ? from : from - 1];
  if (link === undefined) return;
  const part = allParts()[Number(link.dataset.part)];
  if (part !== undefined) unpack(part);
  location.replace(link.hash);
}
