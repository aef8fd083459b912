import type { TranscriptItem } from "@sm/core";
import { imageProblem } from "@sm/core/rendering";

/** An image of a session. */
export interface PictureData {
  mimeType: string;
  base64: string;
  alt?: string;
}

/** The address of an image that `imageProblem` finds harmless. */
export function pictureSource({ mimeType, base64 }: PictureData): string {
  return `data:${mimeType};base64,${base64}`;
}

/** How the name of its file ends. */
export function pictureType({ mimeType }: PictureData): string {
  return mimeType.slice("image/".length).replace("jpeg", "jpg");
}

/** The images of an entry that can be shown, in their order. */
export function picturesOf(item: TranscriptItem): PictureData[] {
  if (item.kind !== "message" && item.kind !== "tool_result") return [];
  return item.blocks.flatMap((block) =>
    block.kind === "image" && imageProblem(block.mime_type, block.data) === null
      ? [{ mimeType: block.mime_type, base64: block.data }]
      : [],
  );
}
