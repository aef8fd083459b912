/** Joins the classes that hold: `classNames("row", isOpen && "bg-selected")`. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
