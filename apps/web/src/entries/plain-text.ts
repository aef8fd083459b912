import type { TranscriptItem } from "@sm/core";
import { stringify } from "@sm/core/rendering";

/** What an entry says, for the clipboard. */
export function plainText(item: TranscriptItem): string {
  switch (item.kind) {
    case "message":
      return item.blocks
        .flatMap((block) => {
          if (block.kind === "text") return [block.text];
          if (block.kind === "section") return [`${block.name}\n${block.text ?? ""}`];
          return block.kind === "tool_call" ? [`${block.name} ${stringify(block.arguments)}`] : [];
        })
        .join("\n\n");
    case "tool_result":
      return item.blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n");
    case "bash":
      return `$ ${item.command}\n${item.output}`;
    case "summary":
      return item.text;
    case "note":
      return stringify(item.value, 2);
  }
}
