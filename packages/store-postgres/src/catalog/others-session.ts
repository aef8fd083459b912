/** A session of somebody else. */
export interface OthersSession {
  ownerId: string;
  path: string;
  id: string;
}
