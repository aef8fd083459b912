import { Brain } from "lucide-react";
import { memo, type ReactNode } from "react";
import { ScrollBox } from "../design/scroll-box.tsx";
import { Prose } from "../entries/content/prose.tsx";
import { Thinking } from "../entries/thinking.tsx";
import { ToolCallView } from "../entries/tool-call.tsx";
import { ToolLine } from "../entries/tool-line.tsx";
import { t } from "../i18n/text.ts";
import { openFenceCode, partialArgument, proseParts } from "./prose-parts.ts";
import { RowHead } from "./row-head.tsx";
import type { StreamingBlock, StreamingMessage } from "./streaming-message.ts";

/** Characters at the end of code that are shown while it is being written. */
const CODE_SHOWN = 16 * 1024;
/** Number of last characters of thinking shown while it is streaming. */
const THINKING_SHOWN = 4 * 1024;

/** Shows an answer while it is being written. */
export function StreamingView({ message, continues }: { message: StreamingMessage; continues: boolean }) {
  return (
    <article
      className="entry entry-assistant"
      data-continues={continues || undefined}
      aria-label={t("transcript.assistant")}
      aria-busy
    >
      {!continues && <RowHead name={t("transcript.assistant")} timestamp={message.timestamp} model={message.model} />}
      {message.blocks.map((block, at) =>
        block === undefined ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part keeps its place
          <BlockView key={at} block={block} id={`${message.key} ${at}`} />
        ),
      )}
    </article>
  );
}

const BlockView = memo(function BlockView({ block, id }: { block: StreamingBlock; id: string }): ReactNode {
  switch (block.kind) {
    case "text":
      return <StreamingProse text={block.text} />;
    case "thinking":
      return block.isDone ? <Thinking id={id} text={block.text} /> : <StreamingThinking text={block.text} />;
    case "tool_call":
      return <StreamingCall id={id} block={block} />;
  }
});

function StreamingProse({ text }: { text: string }) {
  return proseParts(text).map((part, at) =>
    part.isOpenFence ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only added
      <OpenCode key={at} code={openFenceCode(part.text)} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only added
      <Prose key={at} text={part.text} style="answer" />
    ),
  );
}

function OpenCode({ code }: { code: string }) {
  const hidden = code.length - CODE_SHOWN;
  return (
    <div className="prose">
      <div className="code">
        <ScrollBox label={t("transcript.code")}>
          <code>{hidden > 0 ? `…\n${code.slice(hidden)}` : code}</code>
        </ScrollBox>
      </div>
    </div>
  );
}

/** Thinking is shown while it is streaming, and collapsed at its end. */
function StreamingThinking({ text }: { text: string }) {
  const hidden = text.length - THINKING_SHOWN;
  return (
    <div className="thinking" data-open>
      <div className="summary">
        <Brain aria-hidden className="call-icon" strokeWidth={1.75} />
        <span>{t("live.thinking")}</span>
      </div>
      <div className="body">
        <Prose text={hidden > 0 ? `…${text.slice(hidden)}` : text} style="typed" />
      </div>
    </div>
  );
}

function StreamingCall({ id, block }: { id: string; block: Extract<StreamingBlock, { kind: "tool_call" }> }) {
  if (block.arguments !== null) {
    const call = { kind: "tool_call" as const, id: block.id, name: block.name, arguments: block.arguments };
    return <ToolCallView id={id} call={call} results={[]} calledAt={null} />;
  }
  return (
    <ToolLine
      id={id}
      name={block.name}
      argument={partialArgument(block.json)}
      status={<span className="call-status">{t("live.writing", { count: block.json.length })}</span>}
    >
      {() => <OpenCode code={block.json} />}
    </ToolLine>
  );
}
