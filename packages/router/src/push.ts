/** A browser that is told of agents while the page is closed, without what its messages are sent with. */
export interface PushDevice {
  id: string;
  /** Such as "Firefox on Android". */
  name: string;
  created_at: string;
}

/** What a browser gives for an application server to send messages to it (W3C Push API, `PushSubscription.toJSON()`). */
export interface PushSubscriptionData {
  /** URL of the browser's push service. Whoever has it and the service's key can send messages. */
  endpoint: string;
  /** Public key of the browser: a point on P-256, in base64url. */
  p256dh: string;
  /** Secret of the subscription, in base64url. */
  auth: string;
}

/** Browsers that are told when agents ask, fail or end: Web Push (RFC 8030, 8291 and 8292). */
export interface PushService {
  /** The key with which browsers subscribe, in base64url, and those that have. The key is made at first use. */
  status(): Promise<{ public_key: string; devices: PushDevice[] }>;
  /**
   * Adds a browser, which is told so; again with the same endpoint replaces it. A device ends with the token that it was
   * added with.
   *
   * Rejects with AppError `INVALID_PAYLOAD` for an endpoint that is not on the internet, or keys that are none, and
   * `CONFLICT` if there are too many.
   */
  add(subscription: PushSubscriptionData & { name: string }, tokenId: string | null): Promise<PushDevice>;
  /** Rejects with AppError `NOT_FOUND`. */
  remove(id: string): Promise<{ id: string; removed: true }>;
}
