import { createHash } from "node:crypto";

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem; }
pre { padding: 0.75rem 1rem; overflow-x: auto; background: color-mix(in srgb, currentcolor 8%, transparent); }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Allows only the page's own style: no scripts, no other sources, no embedding. */
export const PLAIN_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The plain page at `/`, which explains how to call the service. */
export function page(origin: string, version: string): string {
  const url = escapeHtml(`${origin}/api`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Session Manager</title>
<style>${STYLE}</style>
<h1>Session Manager</h1>
<p>This service answers questions about the sessions of a coding agent. Commands are sent as <code>POST /api</code>;
its condition is at <a href="/health">/health</a>. Version ${escapeHtml(version)}.</p>
<h2>List the newest sessions</h2>
<pre>curl -s ${url} -H 'Content-Type: application/json' \\
  -d '{"command": "list_sessions", "payload": {"limit": 10}}'</pre>
<h2>Search all sessions</h2>
<pre>curl -s ${url} -H 'Content-Type: application/json' \\
  -d '{"command": "search", "payload": {"query": "migration"}}'</pre>
</html>
`;
}

/** The same for every link that cannot be opened, so that it tells nothing of what was there. */
export const MISSING_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Nothing here</title>
<style>${STYLE}</style>
<h1>Nothing here</h1>
<p>This link has expired, was revoked, or is not complete. Ask whoever sent it for a new one.</p>
</html>
`;

/** A page that says one thing, and where to go from there. */
export function plainPage(title: string, text: string, { href, text: label }: { href: string; text: string }): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><a href="${escapeHtml(href)}">${escapeHtml(label)}</a></p>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
