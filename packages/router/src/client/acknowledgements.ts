/**
 * Makes a function that acknowledges output of terminals. For each of them there is one request at a time: the latest
 * number stands for all that came while it was on its way.
 */
export function createAcknowledgements(
  send: (id: string, seq: number) => Promise<unknown>,
): (id: string, seq: number) => void {
  /** By terminal, those that have a request on its way. */
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
      // Without an answer there is no connection left to acknowledge on.
      await send(id, seq).catch(() => latest.delete(id));
    }
    latest.delete(id);
  }
}
