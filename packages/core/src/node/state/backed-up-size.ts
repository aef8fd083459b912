import { AppError } from "../../errors.ts";
import { MAX_MARKS } from "./ports.ts";

/** As JSON: a bundle has to pass the limit of a request, 8 MiB. */
const MAX_BYTES = 6 * 1_048_576;

/** How much room the marks take in a bundle. */
export class BackedUpSize {
  #bytes = 0;

  add(mark: object): void {
    this.#bytes += Buffer.byteLength(JSON.stringify(mark));
  }

  /**
   * @param count of marks of one kind.
   * @throws AppError `PAYLOAD_TOO_LARGE`.
   */
  refuseTooMany(count: number): void {
    if (count <= MAX_MARKS && this.#bytes <= MAX_BYTES) return;
    throw new AppError(
      "PAYLOAD_TOO_LARGE",
      `There are more marks than fit into a bundle (6 MiB, and ${MAX_MARKS} of a kind); copy the database instead.`,
    );
  }
}
