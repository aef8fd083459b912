/** Where the library says what happened, in the shape of pino and its like. */
export interface LibraryLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
