import { rareWord } from "./rare-word.ts";

/** Where a text is hidden that no search may find: nobody sees it, or it is no text. */
export const DECOY_PLACES = ["image", "signature", "payload_in_output", "hidden_message", "extension_data"] as const;

export type DecoyPlace = (typeof DECOY_PLACES)[number];

/** A text that occurs once in the corpus and must not be found. */
export interface Decoy {
  place: DecoyPlace;
  text: string;
}

export function planDecoy(index: number): Decoy {
  const place = DECOY_PLACES[index % DECOY_PLACES.length] ?? "image";
  return { place, text: rareWord("decoy", index) };
}
