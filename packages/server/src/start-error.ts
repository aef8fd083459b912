/** Prevents the server from starting. `message` tells the user what to change; no stack is needed. */
export class StartError extends Error {
  override readonly name = "StartError";
}
