/** Parts of the conversation that are in sight, or nearly. */
export const partsInSight = new Set<Element>();
