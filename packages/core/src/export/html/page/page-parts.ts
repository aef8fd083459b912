import { isOpened } from "./details.ts";
import { partsInSight } from "./parts-in-sight.ts";

/** Calls `come` for every part that becomes visible, so that large pages are processed on demand. */
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

/** All parts in page order, including those of hidden branches and of subagents. */
export function allParts(): readonly Element[] {
  known ??= sections(".run, .subagent").flatMap((section) =>
    [...section.children].filter((child) => child.matches(".part")),
  );
  return known;
}

/** The sections that contain the entries of the session. */
export function runSections(): HTMLElement[] {
  return sections(".run");
}

function sections(selector: string): HTMLElement[] {
  const children = [...(document.querySelector<HTMLElement>("main")?.children ?? [])];
  return children.filter((child): child is HTMLElement => child instanceof HTMLElement && child.matches(selector));
}

/** The HTML of a packed part, `null` if it is unpacked. */
export function packedHtml(part: Element): string | null {
  return part.matches(".packed") ? part.textContent : null;
}

/** Unpacks a part into elements, with the same result as if the parser had read it. */
export function unpack(part: Element): void {
  const html = packedHtml(part);
  if (html === null) return;
  part.innerHTML = html;
  part.classList.remove("packed");
  for (const details of part.querySelectorAll("details")) if (isOpened(details)) details.open = true;
}

/** Finds an element by ID, also in packed parts. */
export function findById(id: string): Element | null {
  const found = document.getElementById(id);
  if (found !== null || id === "") return found;
  const attribute = `id="${id}"`;
  const part = allParts().find((packed) => packedHtml(packed)?.includes(attribute));
  if (part === undefined) return null;
  unpack(part);
  return document.getElementById(id);
}
