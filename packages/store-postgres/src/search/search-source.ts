import type { RemoteFiles, RemoteTexts } from "@sm/core/remote";
import { threadSource } from "../database/thread-source.ts";

/** Answers what a thread asks of texts and of files: methods of two objects in one. */
export function searchSource(texts: RemoteTexts, files: RemoteFiles): RemoteTexts & RemoteFiles {
  return threadSource({
    textState: texts.textState.bind(texts),
    textBytes: texts.textBytes.bind(texts),
    sessionKeys: texts.sessionKeys.bind(texts),
    sessionKeysBelow: texts.sessionKeysBelow.bind(texts),
    sessionFacts: texts.sessionFacts.bind(texts),
    textPlaces: texts.textPlaces.bind(texts),
    outlineChunks: texts.outlineChunks.bind(texts),
    lines: texts.lines.bind(texts),
    file: files.file.bind(files),
    read: files.read.bind(files),
  });
}
