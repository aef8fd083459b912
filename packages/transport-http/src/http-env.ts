import type { HttpBindings } from "@hono/node-server";
import type { Admission } from "@sm/router/access";

/** Hono environment: Node's request and response, and the admitted caller. */
export type HttpEnv = { Bindings: HttpBindings; Variables: { admission: Admission } };
