/** Names the call at a place in a result, for what opens and closes. */
export function nestedCallId(resultId: string, at: number): string {
  return `${resultId} nested ${at}`;
}
