/** Visible and nearly visible parts of the conversation. */
export const partsInSight = new Set<Element>();
