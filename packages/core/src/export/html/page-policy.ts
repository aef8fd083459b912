import { PAGE_SCRIPT_HASH, PAGE_STYLE_HASH } from "./assets.ts";

/** Nothing may be loaded, sent or run but the page's own style and script, which are known by their hashes. */
export const PAGE_POLICY = `default-src 'none'; style-src '${PAGE_STYLE_HASH}'; script-src '${PAGE_SCRIPT_HASH}'; img-src data:; base-uri 'none'; form-action 'none'`;
