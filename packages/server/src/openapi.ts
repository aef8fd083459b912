import { registry } from "@sm/router";

let document: Promise<object> | undefined;

/** Describes every command of the service in OpenAPI 3.1. Made when it is first asked for, since few ask. */
export function describeService(): Promise<object> {
  document ??= describe();
  return document;
}

async function describe(): Promise<object> {
  const { openApiDocument } = await import("@sm/router/description");
  // Relative to where the description is, whatever that is called behind a proxy.
  return openApiDocument(registry, { server: ".." });
}
