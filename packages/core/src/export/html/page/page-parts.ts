import { isOpened } from "./details.ts";
import { partsInSight } from "./parts-in-sight.ts";

/** Calls `come` for every part that comes into sight: work for a page of 50 MB is done where somebody looks. */
export function onSight(come: (part: Element) => void): void {
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (!isIntersecting) partsInSight.delete(target);
        else {
          partsInSight.add(target);
          unpack(target);
          come(target);
        }
      }
    },
    { rootMargin: "150% 0%" },
  );
  for (const part of allParts()) observer.observe(part);
}

let known: Element[] | null = null;

/** All parts, in the order of the page; those of branches that are not shown among them. */
export function allParts(): readonly Element[] {
  known ??= runSections().flatMap((section) => [...section.children].filter((child) => child.matches(".part")));
  return known;
}

/** The entries are in these, and are not looked through for them. */
export function runSections(): HTMLElement[] {
  const children = [...(document.querySelector<HTMLElement>("main")?.children ?? [])];
  return children.filter((child): child is HTMLElement => child instanceof HTMLElement && child.matches(".run"));
}

/** The HTML of a part that is still text, `null` where its entries are there. */
export function packedHtml(part: Element): string | null {
  return part.matches(".packed") ? part.textContent : null;
}

/** Makes entries of the text that a part of a long page is at first. It is what the parser would have made of it. */
export function unpack(part: Element): void {
  const html = packedHtml(part);
  if (html === null) return;
  part.innerHTML = html;
  part.classList.remove("packed");
  for (const details of part.querySelectorAll("details")) if (isOpened(details)) details.open = true;
}

/** Finds an element by its id, also in what is still text. */
export function findById(id: string): Element | null {
  const found = document.getElementById(id);
  if (found !== null || id === "") return found;
  const attribute = `id="${id}"`;
  const part = allParts().find((packed) => packedHtml(packed)?.includes(attribute));
  if (part === undefined) return null;
  unpack(part);
  return document.getElementById(id);
}
