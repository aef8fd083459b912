import { registry } from "@sm/router";

let document: Promise<object> | undefined;

/** The OpenAPI 3.1 description of all commands. Created on first request, because it is rarely needed. */
export function describeService(): Promise<object> {
  document ??= describe();
  return document;
}

async function describe(): Promise<object> {
  const { openApiDocument } = await import("@sm/router/description");
  // Relative to the description's URL, which may differ behind a proxy.
  return openApiDocument(registry, { server: ".." });
}
