/** Escapes a text for HTML content and double-quoted attributes. */
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
