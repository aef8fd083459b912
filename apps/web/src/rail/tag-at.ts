/** The id of the tag whose row a node is in; `null` outside of the rows. */
export function tagAt(target: EventTarget): string | null {
  const element = target instanceof Element ? target : (target as Node).parentElement;
  return element?.closest<HTMLElement>("[data-tag]")?.dataset.tag ?? null;
}
