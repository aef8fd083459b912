import type { AnswerIdentity } from "../format/format.ts";
import type { Usage } from "./record.ts";

/** What an entry of a session adds to the usage of an answer that other sessions may have, too. */
export interface PlacedAnswer {
  ordinal: number;
  identity: AnswerIdentity;
  usage: Usage;
}
