import type { TranscriptBlock } from "@sm/core";
import { t } from "../i18n/text.ts";
import { CodeBlock } from "./content/code-block.tsx";
import { Output } from "./content/output.tsx";
import { Picture } from "./content/picture.tsx";
import { DataBlock } from "./data-block.tsx";

interface ResultBlockProps {
  block: TranscriptBlock;
  /** Of the file that was read, where it was one. */
  path: string | null;
  failed: boolean;
}

/** Shows a part of what a tool has returned, or of what the model sees instead of an entry. */
export function ResultBlock({ block, path, failed }: ResultBlockProps) {
  if (block.kind === "image") return <Picture mimeType={block.mime_type} base64={block.data} />;
  if (block.kind === "text") {
    if (block.text === "") return <p className="quiet">{t("transcript.no_output")}</p>;
    return path === null ? <Output text={block.text} failed={failed} /> : <CodeBlock code={block.text} path={path} />;
  }
  return <DataBlock value={block.kind === "raw" ? block.value : { ...block }} />;
}
