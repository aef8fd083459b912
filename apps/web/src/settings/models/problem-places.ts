import { jsonLanguage } from "@codemirror/lang-json";

type Tree = ReturnType<typeof jsonLanguage.parser.parse>;
type Node = Tree["topNode"];

/** Where something stands in a text, as offsets. */
export interface Place {
  from: number;
  to: number;
}

/**
 * Locates the subject of a problem: `providers.local.models.0.id`. If the field does not exist, returns the innermost
 * existing parent.
 *
 * @param path field names and array indexes separated by dots; names may contain dots.
 */
export function placeOf(text: string, path: string): Place {
  let node = jsonLanguage.parser.parse(text).topNode.firstChild;
  let parts = path === "" ? [] : path.split(".");
  let place: Place = { from: 0, to: Math.min(text.length, 1) };
  while (node !== null) {
    place = isContainer(node) && parts.length > 0 ? { from: node.from, to: node.from + 1 } : spanOf(node);
    if (parts.length === 0) break;
    const below = node.name === "Array" ? itemIn(node, parts) : fieldIn(node, parts, text);
    if (below === null) break;
    place = below.place;
    node = below.node;
    parts = below.rest;
  }
  return place;
}

interface Found {
  node: Node | null;
  place: Place;
  rest: string[];
}

function itemIn(array: Node, [part = "", ...rest]: readonly string[]): Found | null {
  const items = childrenOf(array).filter(({ name }) => !["[", "]", ","].includes(name));
  const item = items[Number(part)];
  return item === undefined ? null : { node: item, place: spanOf(item), rest };
}

/** The field with the longest name that the path begins with. */
function fieldIn(object: Node, parts: readonly string[], text: string): Found | null {
  let found: { property: Node; key: Node; length: number } | null = null;
  for (const property of childrenOf(object)) {
    const key = property.name === "Property" ? property.getChild("PropertyName") : null;
    if (key === null) continue;
    const name = nameOf(text.slice(key.from, key.to)).split(".");
    const isPrefix = name.every((part, index) => parts[index] === part);
    if (isPrefix && name.length > (found?.length ?? 0)) found = { property, key, length: name.length };
  }
  if (found === null) return null;
  const value = childrenOf(found.property).at(-1) ?? null;
  return {
    node: value === null || value.from === found.key.from ? null : value,
    place: { from: found.key.from, to: found.key.to },
    rest: parts.slice(found.length),
  };
}

function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** Of what spans lines, the bracket that it begins with. */
function spanOf(node: Node): Place {
  return isContainer(node) ? { from: node.from, to: node.from + 1 } : { from: node.from, to: node.to };
}

function isContainer({ name }: Node): boolean {
  return name === "Object" || name === "Array";
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}
