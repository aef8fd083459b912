import type { AnswerIdentity } from "../format/format.ts";
import type { Usage } from "./record.ts";

/** What an entry of a session adds to the usage of an answer that other sessions may have, too. */
export interface PlacedAnswer {
  ordinal: number;
  identity: AnswerIdentity;
  /** Its number in the session, see `NamedModels`. */
  model: number;
  /** See `priceTierOf`. */
  tier: number;
  usage: Usage;
}
