import { PAGE_SCRIPT_HASH, PAGE_STYLE_HASH } from "./assets.ts";

/** Allows only the page's own style and script, identified by their hashes. */
export const PAGE_POLICY = `default-src 'none'; style-src '${PAGE_STYLE_HASH}'; script-src '${PAGE_SCRIPT_HASH}'; img-src data:; base-uri 'none'; form-action 'none'`;
