/** Elements that the exporter writes in the body of a page, with the attributes that they may have. */
const BODY: Readonly<Record<string, readonly string[]>> = {
  a: ["href", "rel", "title", "tabindex", "aria-hidden", "aria-current", "data-part"],
  article: [],
  b: [],
  bdi: [],
  blockquote: [],
  br: [],
  button: ["type", "title", "popovertarget", "popovertargetaction", "data-action"],
  code: [],
  dd: [],
  del: [],
  details: ["data-kind", "open"],
  div: ["dir", "role", "tabindex", "popover", "hidden"],
  dl: [],
  dt: [],
  em: [],
  footer: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  header: [],
  hr: [],
  i: [],
  img: ["loading", "decoding", "alt", "src"],
  input: ["type", "placeholder", "autocomplete", "spellcheck", "enterkeyhint", "data-action", "checked"],
  ins: [],
  kbd: [],
  label: [],
  li: [],
  main: [],
  nav: ["popover"],
  noscript: [],
  ol: ["start", "data-run"],
  output: [],
  p: [],
  path: ["d"],
  pre: ["tabindex"],
  s: [],
  samp: [],
  section: ["data-parent"],
  span: ["title"],
  strong: [],
  summary: [],
  svg: [
    "viewBox",
    "width",
    "height",
    "fill",
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "stroke-linejoin",
    "focusable",
  ],
  table: [],
  tbody: [],
  td: [],
  th: [],
  thead: [],
  time: ["datetime"],
  tr: [],
  ul: [],
};

/** Runs in the page; everything that it needs is in it. A document that was only parsed has no protocols of its own. */
function find(document: Document, allowed: Readonly<Record<string, readonly string[]>>): string[] {
  const found: string[] = [];
  const report = (what: string, element: Element) => found.push(`${what}: ${element.outerHTML.slice(0, 300)}`);
  const GLOBAL = /^(?:class|id|aria-[a-z]+)$/;
  const ids = new Set<string>();
  const head = [...document.head.children].map(({ localName }) => localName).join(" ");
  if (!/^(?:meta )+title style(?: script)?$/.test(head)) found.push(`head: ${head}`);
  if (document.querySelectorAll("meta, title, style, script").length !== document.head.children.length) {
    found.push("More of what belongs into the head is elsewhere.");
  }
  // Text that is taken for one of these adds its attributes to what is there.
  for (const { name } of [...document.documentElement.attributes, ...document.body.attributes]) {
    if (!/^(?:lang|id|class|data-theme)$/.test(name)) found.push(`attribute ${name} of the page`);
  }
  const comment = document
    .createTreeWalker(document, NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_CDATA_SECTION)
    .nextNode();
  if (comment !== null) found.push(`comment: ${comment.textContent?.slice(0, 300)}`);
  for (const element of document.body.querySelectorAll("*")) {
    const { localName, namespaceURI } = element;
    const attributes = Object.hasOwn(allowed, localName) ? allowed[localName] : undefined;
    const isIcon = namespaceURI === "http://www.w3.org/2000/svg";
    if (attributes === undefined || isIcon !== ["svg", "path"].includes(localName)) {
      report("element", element);
      continue;
    }
    if (isIcon && element.closest(".bar button") === null) report("icon", element);
    if (localName === "input" && element.closest(".bar") === null) report("input", element);
    if (element.shadowRoot !== null) report("shadow root", element);
    for (const { name, value } of element.attributes) {
      if (!GLOBAL.test(name) && !attributes.includes(name)) report(`attribute ${name}`, element);
      if (name === "id" && ids.size === ids.add(value).size) report("second id", element);
      if (name === "class" && !/^[\w -]+$/.test(value)) report("class", element);
    }
    const href = element.getAttribute("href");
    if (href !== null && !/^(?:https?:\/\/|mailto:|#[\w-]+$|[\w%!~*'().-]+\.html$)/i.test(href))
      report("address", element);
    if (element instanceof HTMLAnchorElement && !["http:", "https:", "mailto:", "file:"].includes(element.protocol)) {
      report("protocol", element);
    }
    if (
      element instanceof HTMLImageElement &&
      !/^data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/]+=*$/.test(element.src)
    ) {
      report("image", element);
    }
  }
  return found.slice(0, 20);
}

/** A script that lists, in an exported page, what the exporter did not write: elements, attributes, addresses. */
export function foreignMarkup(): string {
  return `(${find.toString()})(document, ${JSON.stringify(BODY)})`;
}
