/** Where an index lies: one catalog of files and records, and the text in as many databases as threads write it. */
export interface IndexPlace {
  directory: string;
  shards: number;
}
