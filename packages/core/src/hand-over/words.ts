import type { MessageItem } from "../session/transcript.ts";

/** Codex shows the patch of a call as a text beside it. */
const PATCH = /^`{3,}diff\n\*\*\* Begin Patch/;

/** What is said in a message; patches that are shown beside their calls are not. */
export function wordsOf({ blocks }: MessageItem): string {
  const hasCall = blocks.some(({ kind }) => kind === "tool_call");
  return blocks
    .flatMap((block) => (block.kind === "text" && !(hasCall && PATCH.test(block.text)) ? [block.text] : []))
    .filter((text) => text !== "")
    .join("\n");
}

/** The patch that is shown beside the call of a message; `null` without one. */
export function patchOf({ blocks }: MessageItem): string | null {
  for (const block of blocks) {
    if (block.kind === "text" && PATCH.test(block.text)) return block.text;
  }
  return null;
}
