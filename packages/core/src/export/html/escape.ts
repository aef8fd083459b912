/** Writes a text so that it stands in HTML, between tags and in attributes with double quotes, as what it is. */
export function escapeHtml(text: string): string {
  return text.replace(ACTIVE, (character) => ENTITIES[character] ?? "");
}

const ACTIVE = /[&<>"']/g;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
