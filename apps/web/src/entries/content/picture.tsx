import { imageProblem, imageSize } from "@sm/core/rendering";
import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useMemo } from "react";
import { formatBytes } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";

/** Characters of a type that are shown. */
const MAX_TYPE_LENGTH = 60;

interface PictureProps {
  mimeType: string;
  base64: string;
  alt?: string;
}

const PROBLEMS = {
  "too large": "transcript.image_too_large",
  "not pixels": "transcript.image_not_pixels",
  damaged: "transcript.image_damaged",
} as const;

/** Shows an image of a message, larger where one clicks on it; a note where its type or data may not be harmless. */
export function Picture({ mimeType, base64, alt = "" }: PictureProps) {
  const problem = useMemo(() => imageProblem(mimeType, base64), [mimeType, base64]);
  if (problem !== null) {
    const type = mimeType.slice(0, MAX_TYPE_LENGTH) || t("transcript.unknown_type");
    const size = formatBytes(imageSize(base64));
    return <span className="quiet">{t(PROBLEMS[problem], { type, size })}</span>;
  }
  const name = alt || t("transcript.image");
  const source = `data:${mimeType};base64,${base64}`;
  return (
    <Dialog.Root>
      <Dialog.Trigger className="picture" aria-label={t("transcript.enlarge", { name })}>
        <img src={source} alt={name} loading="lazy" decoding="async" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="lightbox">
          <Dialog.Content className="lightbox-content" aria-describedby={undefined}>
            <Dialog.Title className="sr-only">{name}</Dialog.Title>
            <Dialog.Close className="lightbox-image" aria-label={t("transcript.close_image")}>
              <img src={source} alt={name} />
            </Dialog.Close>
            <Dialog.Close className="lightbox-close" aria-label={t("transcript.close_image")}>
              <X aria-hidden className="size-5" />
            </Dialog.Close>
          </Dialog.Content>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
