import type { RedactionPreview } from "@sm/core";
import type { NamedSession } from "../connection/session-argument.ts";
import type { Shell } from "../shell.ts";
import { visible } from "../terminal/visible.ts";

/** Preview of redactions in one session. */
export interface SessionPreview extends RedactionPreview {
  session: NamedSession;
}

/** Prints previews of redactions as text or JSON. */
export function showPreviews(previews: readonly SessionPreview[], shell: Shell): void {
  if (shell.json) shell.writeJson(previews.map(({ session, ...preview }) => ({ path: session.path, ...preview })));
  else shell.show(previews.map((preview) => previewText(preview, shell)).join("\n"));
}

function previewText({ session, findings, total }: SessionPreview, { colors }: Shell): string {
  const lines = [colors.bold(visible(session.title ?? session.path))];
  for (const { type, count, examples } of findings) {
    lines.push(`  ${colors.yellow(visible(type))} × ${count}`);
    for (const { excerpt } of examples) lines.push(`    ${colors.dim(visible(excerpt))}`);
  }
  lines.push(total === 0 ? "  nothing would be replaced" : `  ${total} would be replaced`);
  return `${lines.join("\n")}\n`;
}
