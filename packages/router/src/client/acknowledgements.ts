/**
 * Creates a function that acknowledges terminal output. At most one request per terminal is pending; the latest number
 * covers all earlier ones.
 */
export function createAcknowledgements(
  send: (id: string, seq: number) => Promise<unknown>,
): (id: string, seq: number) => void {
  /** Latest number by terminal, for terminals with a pending request. */
  const latest = new Map<string, number>();

  return (id, seq) => {
    const isSending = latest.has(id);
    latest.set(id, seq);
    if (!isSending) void sendLatest(id);
  };

  async function sendLatest(id: string): Promise<void> {
    let sent: number | undefined;
    for (let seq = latest.get(id); seq !== undefined && seq !== sent; seq = latest.get(id)) {
      sent = seq;
      // Without a response, the connection is lost.
      await send(id, seq).catch(() => latest.delete(id));
    }
    latest.delete(id);
  }
}
