/** How far subscribers may be behind the output of a terminal; bytes are those of payloads as JSON. */
export interface OutputLimits {
  /**
   * What even the fastest subscriber may have left before the terminal is paused. Enough for 10 MB/s to a client that
   * acknowledges from 50 ms away; but all else that the client is told waits behind it.
   */
  highBytes: number;
  /** At what is left the terminal goes on: its output has come before a fast client has run out of the rest. */
  lowBytes: number;
  /**
   * What may be left while another subscriber sets the pace. Subscribers share the events, so that this bounds the
   * memory for a terminal, however many of them are slow.
   */
  dropBytes: number;
  /** Milliseconds in which a subscriber has to take something if something waits for it. */
  stallMs: number;
}

export const OUTPUT_LIMITS: OutputLimits = {
  highBytes: 512 * 1_024,
  lowBytes: 128 * 1_024,
  dropBytes: 4 * 1_048_576,
  stallMs: 10_000,
};
