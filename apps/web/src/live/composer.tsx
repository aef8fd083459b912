import { ArrowUp, ImagePlus, Square, X } from "lucide-react";
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { MAX_PROMPT_LENGTH, type PromptImage } from "../agents/prompt-drafts.ts";
import { IconButton } from "../design/button.tsx";
import { Segments } from "../design/choices.tsx";
import { classNames } from "../design/class-names.ts";
import { useFieldFocus } from "../design/focus.ts";
import { toast } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { recalled } from "./prompt-history.ts";
import { MAX_IMAGES, takeImages } from "./prompt-images.ts";
import { SuggestionList } from "./suggestion-list.tsx";
import { useNaming } from "./use-naming.ts";
import type { PromptMode, PromptState } from "./use-prompt.ts";

interface ComposerProps {
  sessionId: string;
  prompt: PromptState;
  /** What the user has said before, oldest first. */
  said: readonly string[];
  /** Whether the agent works: what is sent then steers it or waits. */
  isBusy: boolean;
  isAborting: boolean;
  onAbort(): void;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Whether it may take the focus from what has it. */
  mayTakeFocus(): boolean;
}

/** Where prompts are typed, with images that are pasted, dropped or chosen. */
export function Composer(props: ComposerProps) {
  const { sessionId, prompt, said, isBusy, isAborting, onAbort, field, mayTakeFocus } = props;
  const { draft, setDraft, send } = prompt;
  const [busyMode, setBusyMode] = useState<"steer" | "follow_up">("steer");
  const [isOver, setOver] = useState(false);
  useFieldFocus(field, mayTakeFocus);
  const [caret, setCaret] = useState<number | null>(null);
  const naming = useNaming(sessionId, draft.text, write);
  const canSend = draft.text.trim() !== "";

  // After the field has got the text.
  useLayoutEffect(() => {
    if (caret === null) return;
    field.current?.setSelectionRange(caret, caret);
    setCaret(null);
  }, [caret, field]);

  function write(text: string, at: number) {
    setDraft((now) => ({ ...now, text }));
    setCaret(at);
  }

  function recall(by: -1 | 1): boolean {
    const text = recalled(said, draft.text, by);
    if (text === null) return false;
    write(text, text.length);
    naming.onCaret(0);
    return true;
  }

  function sendAs(mode: PromptMode) {
    send(isBusy ? mode : "prompt");
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isTaken =
      naming.onKey(event) ||
      (isPlain && event.key === "ArrowUp" && recall(-1)) ||
      (isPlain && event.key === "ArrowDown" && recall(1));
    if (isTaken) return event.preventDefault();
    if (event.key !== "Enter" || event.shiftKey) return;
    // The keyboards of phones have no other key for a new line.
    if (matchMedia("(pointer: coarse)").matches && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const other = busyMode === "steer" ? "follow_up" : "steer";
    sendAs(event.altKey ? other : busyMode);
  }

  async function addFiles(added: readonly File[]) {
    if (added.length === 0) return;
    const { images, hasRefused } = await takeImages(draft.images, added);
    setDraft((now) => ({ ...now, images }));
    if (hasRefused) toast({ text: t("live.image_refused", { count: MAX_IMAGES }), tone: "danger" });
  }

  function onPaste(event: ClipboardEvent) {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    void addFiles(pasted);
  }

  function onDrop(event: DragEvent) {
    setOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void addFiles([...event.dataTransfer.files]);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped here; the button does the same
    <div
      className={classNames(
        "rounded-lg bg-field ring-1 ring-line-strong ring-inset focus-within:ring-2 focus-within:ring-accent",
        isOver && "bg-accent-soft",
      )}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      {draft.images.length > 0 && (
        <Images
          images={draft.images}
          onRemove={(id) => setDraft((now) => ({ ...now, images: now.images.filter((image) => image.id !== id) }))}
        />
      )}
      {naming.list !== null && <SuggestionList {...naming.list} onChoose={naming.choose} />}
      <textarea
        ref={field}
        aria-autocomplete="list"
        {...naming.attributes}
        aria-label={t("live.prompt")}
        placeholder={t(isBusy ? "live.prompt_busy" : "live.prompt_idle")}
        rows={1}
        maxLength={MAX_PROMPT_LENGTH}
        value={draft.text}
        onChange={({ target }) => {
          setDraft((now) => ({ ...now, text: target.value }));
          naming.onCaret(target.selectionStart);
        }}
        onSelect={({ currentTarget }) => naming.onCaret(currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        className="field-sizing-content block max-h-[40vh] min-h-11 w-full resize-none bg-transparent px-4 pt-3 pb-1 text-base outline-none phone:max-h-[30vh] touch:text-lg"
      />
      <div className="flex items-center gap-2 p-2">
        <ImageButton onChoose={(chosen) => void addFiles(chosen)} />
        {isBusy ? (
          <Segments
            label={t("live.mode")}
            value={busyMode}
            onChange={(mode) => setBusyMode(mode)}
            options={[
              { value: "steer", text: t("live.steer") },
              { value: "follow_up", text: t("live.follow_up") },
            ]}
          />
        ) : (
          <span className="text-faint text-xs touch:hidden">{t("live.enter_hint")}</span>
        )}
        <span className="flex-1" />
        {isBusy && (
          <IconButton
            icon={Square}
            label={t("live.abort")}
            keys="escape"
            variant="secondary"
            className="[&>svg]:fill-current [&>svg]:p-0.5"
            disabled={isAborting}
            onClick={onAbort}
          />
        )}
        <IconButton
          icon={ArrowUp}
          label={t("live.send")}
          keys="enter"
          variant="primary"
          disabled={!canSend}
          onClick={() => sendAs(busyMode)}
        />
      </div>
    </div>
  );
}

function Images({ images, onRemove }: { images: readonly PromptImage[]; onRemove(id: string): void }) {
  return (
    <ul aria-label={t("live.images")} className="flex flex-wrap gap-2 p-3 pb-0">
      {images.map((image) => (
        <li key={image.id} className="relative">
          <img
            src={`data:${image.mimeType};base64,${image.data}`}
            alt={image.name}
            className="size-16 rounded-md object-cover ring-1 ring-line"
          />
          <button
            type="button"
            aria-label={t("live.remove_image", { name: image.name })}
            onClick={() => onRemove(image.id)}
            className="-top-2 -right-2 absolute flex size-6 items-center justify-center rounded-full bg-raised text-muted shadow-pop hover:text-ink"
          >
            <X aria-hidden size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Has the system ask for images. */
function ImageButton({ onChoose }: { onChoose(files: readonly File[]): void }) {
  const files = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={files}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        aria-label={t("live.add_image")}
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <IconButton icon={ImagePlus} label={t("live.add_image")} onClick={() => files.current?.click()} />
    </>
  );
}
