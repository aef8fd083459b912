import { hideContents, showContents } from "./contents-panel.ts";
import { reveal } from "./details.ts";
import { allParts, findById, runSections, unpack } from "./page-parts.ts";

interface Run {
  section: HTMLElement;
  parent: number;
  /** The child that is or was shown. */
  chosen: number;
}

/** Shows one branch: every run follows the one that it continues, so other runs are only hidden. */
export class Branches {
  readonly #runs: Run[] = [];
  readonly #shown = new Set<number>();
  /** Links that select a run. */
  readonly #links = new Map<number, Element[]>();
  /** First prompt of each run. */
  readonly #prompts = new Map<number, Element>();

  constructor() {
    for (const section of runSections()) this.#add(section);
    for (const link of document.querySelectorAll("main > .fork > a, .tree a")) this.#addLink(link);
    for (const list of document.querySelectorAll<HTMLElement>(".prompts")) {
      this.#prompts.set(Number(list.dataset.run), list);
    }
  }

  #add(section: HTMLElement): void {
    const run = this.#runs.length;
    const parent = Number(section.dataset.parent);
    this.#runs.push({ section, parent, chosen: -1 });
    const before = this.#runs[parent];
    if (before?.chosen === -1) before.chosen = run;
    if (section.matches(".shown")) this.#shown.add(run);
    const fork = section.lastElementChild;
    if (fork?.matches(".fork")) for (const link of fork.querySelectorAll("a")) this.#addLink(link);
  }

  #addLink(link: Element): void {
    const run = runOf(link);
    const others = this.#links.get(run);
    if (others === undefined) this.#links.set(run, [link]);
    else others.push(link);
    // A fork precedes its branches, so only the list of branches knows their prompts.
    if (link.matches(".tree a")) for (const other of others ?? []) other.setAttribute("title", link.textContent);
  }

  /** Shows the target of a link before the browser navigates. At a fork, the scroll position is kept. */
  follow(link: HTMLAnchorElement, event: Event): void {
    const part = allParts()[Number(link.dataset.part ?? -1)];
    if (part !== undefined) unpack(part);
    const target = targetOf(link.hash);
    if (target === null) return;
    this.#showEntry(target);
    if (target.matches("#branches")) showContents(".tree a");
    else hideContents();
    if (link.parentElement?.matches(".fork") !== true || !target.matches(".run")) return;
    event.preventDefault();
    history.replaceState(null, "", link.hash);
  }

  /** Shows the entry in the page's address. */
  showTarget(): void {
    const target = targetOf(location.hash);
    if (target === null) return;
    // The browser has already navigated, unless the target was hidden or packed.
    this.#showEntry(target);
    target.scrollIntoView();
  }

  #showEntry(target: Element): void {
    reveal(target);
    const section = target.closest(".run");
    if (section === null) return;
    const run = Number(section.id.slice("run-".length));
    if (!this.#shown.has(run)) this.#show(run);
  }

  #show(run: number): void {
    const branch = new Set<number>();
    for (let at = run; at >= 0; at = this.#runs[at]?.parent ?? -1) {
      branch.add(at);
      const parent = this.#runs[this.#runs[at]?.parent ?? -1];
      if (parent !== undefined) parent.chosen = at;
    }
    for (let at = this.#runs[run]?.chosen ?? -1; at >= 0; at = this.#runs[at]?.chosen ?? -1) branch.add(at);
    for (const at of this.#shown) if (!branch.has(at)) this.#mark(at, false);
    for (const at of branch) if (!this.#shown.has(at)) this.#mark(at, true);
  }

  #mark(run: number, isShown: boolean): void {
    if (isShown) this.#shown.add(run);
    else this.#shown.delete(run);
    this.#runs[run]?.section.classList.toggle("shown", isShown);
    this.#prompts.get(run)?.classList.toggle("shown", isShown);
    for (const link of this.#links.get(run) ?? []) {
      if (isShown) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }
}

function runOf(link: Element): number {
  return Number(link.getAttribute("href")?.slice("#run-".length));
}

function targetOf(hash: string): Element | null {
  try {
    return findById(decodeURIComponent(hash.slice(1)));
  } catch {
    // The address may be invalid.
    return null;
  }
}
