import type { ExportTheme } from "../../library.ts";
import type { RedactionCount, Transcript } from "../../session/transcript.ts";
import { PAGE_SCRIPT, PAGE_STYLE } from "./assets.ts";
import { lineHtml } from "./line-html.ts";
import { PAGE_POLICY } from "./page-policy.ts";

/** Writes the beginning of the page. The script precedes all content, because it sets the reader's theme. */
export function pageStart({ name, title }: Transcript, theme: ExportTheme): string {
  const chosen = theme === "system" ? "" : ` data-theme="${theme}"`;
  return `<!doctype html>
<html lang="en"${chosen}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="${theme === "system" ? "light dark" : theme}">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Session Manager">
<title>${lineHtml(name ?? title)}</title>
<style>${PAGE_STYLE}</style>
<script>${PAGE_SCRIPT}</script>
</head>
<body id="top">
<a class="skip" href="#conversation">Skip to the conversation</a>
`;
}

export function pageFooter(redactions: RedactionCount[] | null): string {
  return `<footer>\n${redactions === null ? "" : redactionSummary(redactions)}<p>Exported by Session Manager</p>\n</footer>\n`;
}

export function pageEnd(): string {
  return "</body>\n</html>\n";
}

function redactionSummary(redactions: RedactionCount[]): string {
  if (redactions.length === 0) return '<p id="redactions">Redaction found nothing to replace.</p>\n';
  const rows = redactions.map(({ type, count }) => `<li>${lineHtml(type)}: ${count.toLocaleString("en")}</li>`);
  return `<section id="redactions">\n<h2>Redacted</h2>\n<ul>${rows.join("")}</ul>\n</section>\n`;
}
