import type { PromptImage } from "../agents/prompt-drafts.ts";

/** The service takes so many. */
export const MAX_IMAGES = 10;
/** Characters of base64 that all images of a prompt may have: a message to the service has 8 MiB at most. */
const MAX_CHARACTERS = 7 * 1024 * 1024;
/** Larger files are made smaller; models look at no more pixels than these. */
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_SIDE_SIZE = 2_000;
/** Larger images would fill the memory when decoded. */
const MAX_SOURCE_SIZE = 50 * 1024 * 1024;
const JPEG_QUALITY = 0.85;

const TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** What of some files can go with a prompt, and whether there were others. */
export interface TakenImages {
  images: PromptImage[];
  hasRefused: boolean;
}

/** Adds files to the images of a prompt, as far as they are images and fit. */
export async function takeImages(before: readonly PromptImage[], files: readonly File[]): Promise<TakenImages> {
  const images = [...before];
  let hasRefused = false;
  for (const file of files) {
    const image = images.length < MAX_IMAGES ? await readImage(file).catch(() => null) : null;
    if (image === null || sizeOf(images) + image.data.length > MAX_CHARACTERS) hasRefused = true;
    else images.push(image);
  }
  return { images, hasRefused };
}

let lastId = 0;

/** `crypto.randomUUID` is missing on pages without TLS. */
function nextId(): string {
  lastId += 1;
  return `image ${lastId}`;
}

function sizeOf(images: readonly PromptImage[]): number {
  return images.reduce((sum, { data }) => sum + data.length, 0);
}

async function readImage(file: File): Promise<PromptImage | null> {
  if (!TYPES.has(file.type) || file.size > MAX_SOURCE_SIZE) return null;
  const blob = file.size > MAX_FILE_BYTES ? await smaller(file) : file;
  return { id: nextId(), name: file.name, mimeType: blob.type, data: await base64Of(blob) };
}

async function smaller(file: File): Promise<Blob> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE_SIZE / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.max(1, bitmap.width * scale), Math.max(1, bitmap.height * scale));
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/jpeg", quality: JPEG_QUALITY });
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
