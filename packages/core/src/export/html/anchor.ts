/**
 * Makes the id that the element of an entry has in the page. Any string has one, no two have the same, and it may stand
 * in an attribute and behind `#` as it is.
 */
export function anchorOf(entryId: string): string {
  return `e-${entryId.replace(/[^A-Za-z0-9-]/g, (unit) => `_${unit.charCodeAt(0).toString(16)}_`)}`;
}
