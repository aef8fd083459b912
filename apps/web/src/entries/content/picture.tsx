import { imageProblem, imageSize } from "@sm/core/rendering";
import { Dialog } from "radix-ui";
import { useMemo, useState } from "react";
import { formatBytes } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";
import { useEntryContext } from "../entry-context.ts";
import { Lightbox } from "./lightbox.tsx";
import { type PictureData, pictureSource } from "./picture-data.ts";

/** Characters of a type that are shown. */
const MAX_TYPE_LENGTH = 60;

const PROBLEMS = {
  "too large": "transcript.image_too_large",
  "not pixels": "transcript.image_not_pixels",
  damaged: "transcript.image_damaged",
} as const;

/** Shows an image of a message, larger where one clicks on it; a note where its type or data may not be harmless. */
export function Picture(picture: PictureData) {
  const { mimeType, base64, alt = "" } = picture;
  const problem = useMemo(() => imageProblem(mimeType, base64), [mimeType, base64]);
  const { pictures } = useEntryContext();
  /** What is stepped through, once it is open: the picture alone where it is in the middle of a text. */
  const [shown, setShown] = useState<{ pictures: readonly PictureData[]; start: number } | null>(null);
  if (problem !== null) {
    const type = mimeType.slice(0, MAX_TYPE_LENGTH) || t("transcript.unknown_type");
    const size = formatBytes(imageSize(base64));
    return <span className="quiet">{t(PROBLEMS[problem], { type, size })}</span>;
  }
  const name = alt || t("transcript.image");
  const open = () => {
    const all = pictures();
    const start = all.findIndex((one) => one.base64 === base64);
    setShown(start < 0 ? { pictures: [picture], start: 0 } : { pictures: all, start });
  };
  const close = () => setShown(null);
  return (
    <Dialog.Root open={shown !== null} onOpenChange={(isOpen) => (isOpen ? open() : close())}>
      <Dialog.Trigger className="picture" aria-label={t("transcript.enlarge", { name })}>
        <img src={pictureSource(picture)} alt={name} loading="lazy" decoding="async" />
      </Dialog.Trigger>
      {shown !== null && (
        <Dialog.Portal>
          <Dialog.Overlay className="lightbox">
            <Lightbox {...shown} onClose={close} />
          </Dialog.Overlay>
        </Dialog.Portal>
      )}
    </Dialog.Root>
  );
}
