/** Files of the page beside those that every address needs, with their paths. */
export interface FirstParts {
  /** What an open session needs. */
  session: readonly string[];
  /** The texts of each language. */
  texts: Readonly<Record<string, readonly string[]>>;
}

/** Loads what the program would ask for only when it runs. */
export function preloadParts({ session, texts }: FirstParts, address: string, language: string): void {
  const isSession = address === "/session";
  // The first texts in English are part of the program.
  const ofLanguage = isSession || language !== "en" ? (texts[language] ?? []) : [];
  for (const path of [...(isSession ? session : []), ...ofLanguage]) {
    const link = document.createElement("link");
    link.rel = path.endsWith(".css") ? "preload" : "modulepreload";
    if (path.endsWith(".css")) link.as = "style";
    link.crossOrigin = "";
    link.href = path;
    document.head.append(link);
  }
}
