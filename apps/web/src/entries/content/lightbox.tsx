import { ChevronLeft, ChevronRight, Download, type LucideIcon, X, ZoomIn, ZoomOut } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useState } from "react";
import { saveBase64 } from "../../client/download.ts";
import { t } from "../../i18n/text.ts";
import { type PictureData, pictureSource, pictureType } from "./picture-data.ts";
import { useZoom } from "./use-zoom.ts";

interface LightboxProps {
  /** What one can step through. */
  pictures: readonly PictureData[];
  start: number;
  onClose(): void;
}

/** Shows pictures one at a time, as large as the window, larger and smaller; and saves them. */
export function Lightbox({ pictures, start, onClose }: LightboxProps) {
  const [at, setAt] = useState(start);
  const zoom = useZoom();
  const picture = pictures[at];
  if (picture === undefined) return null;
  const name = picture.alt || t("transcript.image");
  const step = (by: 1 | -1) => {
    if (pictures[at + by] === undefined) return;
    setAt(at + by);
    zoom.fit();
  };
  const keys = new Map([
    ["ArrowLeft", () => step(-1)],
    ["ArrowRight", () => step(1)],
    ["+", zoom.larger],
    ["=", zoom.larger],
    ["-", zoom.smaller],
    ["0", zoom.fit],
  ]);
  function onKeyDown(event: KeyboardEvent) {
    const run = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys.get(event.key);
    if (run === undefined) return;
    event.preventDefault();
    run();
  }
  return (
    <Dialog.Content className="lightbox-content" aria-describedby={undefined} onKeyDown={onKeyDown}>
      <Dialog.Title className="sr-only">{name}</Dialog.Title>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape and the button close it as well */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div
        ref={zoom.stage}
        className="lightbox-stage"
        onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
      >
        <button
          type="button"
          key={at}
          className="lightbox-image"
          data-larger={zoom.isFitted || undefined}
          aria-label={zoom.isFitted ? t("transcript.image_actual") : t("transcript.image_fit")}
          onClick={zoom.toggle}
        >
          <img
            src={pictureSource(picture)}
            alt={name}
            style={zoom.size ?? undefined}
            onLoad={({ currentTarget }) => zoom.loaded(currentTarget)}
          />
        </button>
      </div>
      <div className="lightbox-bar">
        {pictures.length > 1 && (
          <>
            <BarButton
              icon={ChevronLeft}
              label={t("transcript.image_before")}
              disabled={at === 0}
              onClick={() => step(-1)}
            />
            <span className="lightbox-text" aria-live="polite">
              {t("transcript.image_place", { place: at + 1, total: pictures.length })}
            </span>
            <BarButton
              icon={ChevronRight}
              label={t("transcript.image_next")}
              disabled={at === pictures.length - 1}
              onClick={() => step(1)}
            />
          </>
        )}
        <BarButton icon={ZoomOut} label={t("transcript.image_smaller")} onClick={zoom.smaller} />
        <span className="lightbox-text">{zoom.percent}</span>
        <BarButton icon={ZoomIn} label={t("transcript.image_larger")} onClick={zoom.larger} />
        <BarButton
          icon={Download}
          label={t("transcript.image_save")}
          onClick={() => saveBase64(picture.base64, `image-${at + 1}.${pictureType(picture)}`, picture.mimeType)}
        />
        <BarButton icon={X} label={t("transcript.close_image")} onClick={onClose} />
      </div>
    </Dialog.Content>
  );
}

interface BarButtonProps {
  icon: LucideIcon;
  label: string;
  disabled?: boolean;
  onClick(): void;
}

function BarButton({ icon: Icon, label, disabled = false, onClick }: BarButtonProps) {
  return (
    <button
      type="button"
      className="lightbox-button"
      aria-label={label}
      title={label}
      // It keeps the focus where the last picture is reached, so that the other arrow works still.
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
    >
      <Icon aria-hidden size={20} strokeWidth={1.75} />
    </button>
  );
}
