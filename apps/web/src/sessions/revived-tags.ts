/** Ids that tags had before they were deleted, and those that they came back with. */
const revived = new Map<string, string>();

/** Remembers that a deleted tag is there again, as the service made it. */
export function reviveTag(before: string, now: string): void {
  revived.set(before, now);
}

/** The id that a tag has by now: what is taken back later was often done with the one before. */
export function currentTagId(id: string): string {
  const now = revived.get(id);
  return now === undefined ? id : currentTagId(now);
}
