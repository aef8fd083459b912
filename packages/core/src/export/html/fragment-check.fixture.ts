/** Elements that an entry may have, with their attributes. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  a: ["class", "href", "rel", "title"],
  article: ["class", "id"],
  b: [],
  blockquote: [],
  br: [],
  code: ["class"],
  dd: [],
  del: [],
  details: ["class", "data-kind"],
  div: ["class", "id", "dir", "role", "aria-label", "tabindex"],
  dl: ["class"],
  dt: [],
  em: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  hr: [],
  i: [],
  img: ["class", "loading", "decoding", "alt", "src"],
  ins: [],
  li: ["class"],
  ol: ["start"],
  p: ["class"],
  pre: ["tabindex"],
  s: [],
  samp: [],
  span: ["class", "title"],
  strong: [],
  summary: [],
  table: [],
  tbody: [],
  td: ["class"],
  th: ["class"],
  thead: [],
  time: ["datetime"],
  tr: [],
  ul: [],
};

const VOID = new Set(["br", "hr", "img"]);

const ADDRESSES: Readonly<Record<string, RegExp>> = {
  href: /^(?:https?:\/\/|mailto:|#e-[\w-]*$)/i,
  src: /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/]+={0,2}$/,
};

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/y;
const ATTRIBUTE = / ([a-z-]+)="([^"]*)"/g;
const ENTITY = /^&(?:amp|lt|gt|quot|#39|#x27);/;

/**
 * Reads HTML as strictly as it can be read and throws at the first thing that an entry may not have: another element or
 * attribute, one that is not closed where it should be, a link in a link, an address with another scheme, a bare `&`.
 * Returns the text between the tags.
 */
export function checkedText(html: string): string {
  const open: string[] = [];
  const ids = new Set<string>();
  let text = "";
  let at = 0;
  while (at < html.length) {
    const fail = (reason: string) => new Error(`${reason} at ${at}: ${html.slice(Math.max(0, at - 80), at + 80)}`);
    const tag = html.indexOf("<", at);
    if (tag !== at) {
      // No expression: one for megabytes of text has no stack left now and then.
      const end = tag < 0 ? html.length : tag;
      text += unescaped(html.slice(at, end), fail);
      at = end;
      continue;
    }
    TAG.lastIndex = at;
    const match = TAG.exec(html);
    if (match === null) throw fail("not a tag");
    at = TAG.lastIndex;
    const [, slash, name = "", attributes = ""] = match;
    const allowed = Object.hasOwn(ALLOWED, name) ? ALLOWED[name] : undefined;
    if (allowed === undefined) throw fail(`element ${name}`);
    if (slash === "/") {
      if (open.pop() !== name) throw fail(`end of ${name}`);
      continue;
    }
    for (const [, key = "", value = ""] of attributes.matchAll(ATTRIBUTE)) {
      if (!allowed.includes(key)) throw fail(`attribute ${key} of ${name}`);
      const meant = unescaped(value, fail);
      if (ADDRESSES[key]?.test(meant) === false) throw fail(`address ${meant}`);
      if (key === "id" && ids.size === ids.add(meant).size) throw fail(`second id ${meant}`);
    }
    if (name === "a" && open.includes("a")) throw fail("link in a link");
    if (!VOID.has(name)) open.push(name);
  }
  if (open.length > 0) throw new Error(`left open: ${open.join(" ")}`);
  return text;
}

function unescaped(text: string, fail: (reason: string) => Error): string {
  return text.replace(/&[^&;]{0,6};?/g, (entity) => {
    if (!ENTITY.test(entity)) throw fail(`bare ${entity}`);
    return { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&#x27;": "'" }[entity] ?? "";
  });
}
