/** ID of an entry's element in the page. Injective, and valid in attributes and after `#`. */
export function anchorOf(entryId: string): string {
  return `e-${entryId.replace(/[^A-Za-z0-9-]/g, (unit) => `_${unit.charCodeAt(0).toString(16)}_`)}`;
}
