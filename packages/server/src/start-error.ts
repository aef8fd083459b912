/** Stops the start of the server. `message` tells the person who starts it what to change; no stack is needed. */
export class StartError extends Error {
  override readonly name = "StartError";
}
