/** A push event as a client reads it, from whatever transport. */
export interface PushEvent {
  event: string;
  seq: number;
  payload: unknown;
}
