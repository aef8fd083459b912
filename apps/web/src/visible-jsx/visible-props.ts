import { visibleCode } from "@sm/core/rendering";

/** Properties that are shown or read aloud. Values of fields are not among them. */
const SHOWN = ["children", "alt", "aria-description", "aria-label", "aria-valuetext", "placeholder", "title"];

/**
 * Shows what is invisible, or turns the direction of text, in all texts among the children of an element and in its
 * attributes that are shown. Gives the same object back where nothing changes.
 *
 * Of the page's own components only the children are looked at: a property of theirs may be a value to be edited, and
 * what they show of it they put into elements. Those of libraries hand their properties on as attributes, and are
 * objects, by `forwardRef`.
 */
export function visibleProps(type: unknown, props: unknown): object {
  const given = props as Readonly<Record<string, unknown>>;
  const changed: Record<string, unknown> = {};
  for (const name of typeof type === "function" ? ["children"] : SHOWN) {
    const shown = visibleNode(given[name]);
    if (shown !== given[name]) changed[name] = shown;
  }
  return Object.keys(changed).length === 0 ? given : { ...given, ...changed };
}

function visibleNode(node: unknown): unknown {
  if (typeof node === "string") return visibleCode(node);
  if (!Array.isArray(node)) return node;
  const shown = node.map(visibleNode);
  return shown.every((child, at) => child === node[at]) ? node : shown;
}
