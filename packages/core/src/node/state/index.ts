// For implementations of the ports on other databases: the ports, and what holds wherever the state is kept.

export type { LibraryLog } from "../../library-log.ts";
export { BackedUpSize } from "./backed-up-size.ts";
export { bundleHash } from "./bundle-hash.ts";
export { KEPT_BYTES, lastToGo } from "./kept-versions.ts";
export { findMoves } from "./moved-sessions.ts";
export * from "./ports.ts";
export { freeTagName, refuseNoTree, refuseTooManyTags, tagsInOrder, tagsUnder, unknownTag } from "./tag-tree.ts";
export { digestOf, newToken, refusePast, type TokenDigest, USE_INTERVAL_MS, unknownToken } from "./token-text.ts";
