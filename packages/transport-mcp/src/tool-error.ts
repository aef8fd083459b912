/** A failure that the model can do something about: it becomes the answer of the tool, marked as an error. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
