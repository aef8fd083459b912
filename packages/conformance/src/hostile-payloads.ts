import { hostileLinks, REQUESTS } from "./hostile-addresses.ts";

/** What a payload runs: a function that the test puts into the page. */
const CALL = "hasRun(1)";

/** Events that come without anybody's doing, or with what the test does: clicks, keys, scrolling, focus. */
const EVENTS = {
  img: "src=x: onerror",
  image: "src=x: onerror",
  svg: "onload",
  "svg/": "onload",
  math: 'href="javascript:hasRun(1)" onmouseover',
  body: "onload",
  video: "src=x: onerror",
  audio: "src=x: onerror",
  "video><source": "onerror",
  iframe: "onload",
  details: "open ontoggle",
  input: "autofocus onfocus",
  select: "autofocus onfocus",
  textarea: "autofocus onfocus",
  keygen: "autofocus onfocus",
  marquee: "onstart",
  object: "data=x: onerror",
  embed: "src=x: onerror",
  link: "rel=stylesheet href=x: onerror",
  style: "onload",
  script: "src=x: onerror",
  div: 'style="animation:found 1s" onanimationstart',
  "custom-element": "tabindex=1 autofocus onfocus",
  dialog: "open oncancel",
  p: "onpointerover",
} as const;

/** Elements out of which text has to be broken before it can become markup, and some that parse as nothing else does. */
const CONTAINERS = [
  "title",
  "style",
  "script",
  "textarea",
  "noscript",
  "template",
  "xmp",
  "noembed",
  "noframes",
  "plaintext",
  "iframe",
  "select",
  "table",
  "code",
  "pre",
  "samp",
  "a",
  "span",
  "details",
  "summary",
  "article",
  "section",
  "main",
  "nav",
  "dl",
  "h1",
  "body",
  "html",
  "svg",
  "math",
];

/** Texts that have become markup in one parser and not in another. */
const MUTATIONS = [
  '<noscript><p title="</noscript><img src=x: onerror=CALL>">',
  "<noscript><style></noscript><img src=x: onerror=CALL>",
  '<svg></p><style><a id="</style><img src=x: onerror=CALL>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x: onerror=CALL&gt;">',
  "<form><math><mtext></form><form><mglyph><style></math><img src=x: onerror=CALL>",
  '<svg><desc><template><style><img title="</style><img src=x: onerror=CALL>">',
  "<svg><foreignObject><math><mi><img src=x: onerror=CALL>",
  '<math><annotation-xml encoding="text/html"><style><img src=x: onerror=CALL></style>',
  "<svg><title><script>CALL</script></title><animate onbegin=CALL attributeName=x dur=1s>",
  "<svg><script>&#104;asRun(1)</script></svg>",
  "<svg><use href=\"data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><script>CALL</script></svg>#x\">",
  '<svg><a xlink:href="javascript:CALL"><text x=20 y=20>x</text></a>',
  "<svg><set attributeName=href to=javascript:CALL>",
  "<template shadowrootmode=open><img src=x: onerror=CALL></template>",
  '<select><template><style><!--</style><a rel="--></style></select><img src=x: onerror=CALL>">',
  "<table><td><!--><img src=x: onerror=CALL>-->",
  '<!--<img title="--><img src=x: onerror=CALL>">',
  "<!--!><img src=x: onerror=CALL>",
  "<!----!><img src=x: onerror=CALL>",
  "<?xml version=\"1.0\"?><?php echo '<img src=x: onerror=CALL>' ?>",
  '<!DOCTYPE html [<!ENTITY x "<img src=x: onerror=CALL>">]>&x;',
  "<![CDATA[<img src=x: onerror=CALL>]]>",
  "]]><script>CALL</script>",
  "--><script>CALL</script><!--",
  "--!><script>CALL</script>",
  "<script><!--<script></script>CALL",
  "<script>/*</script><script>*/CALL//",
  "<scr<script>ipt>CALL</scr</script>ipt>",
  "<script\u000c>CALL</script\u000c>",
  "<script/x>CALL</script/x>",
  "<script type=module>CALL</script>",
  "<script nomodule>CALL</script>",
  "<SCRIPT>CALL</SCRIPT>",
  "<\u017fcript>CALL</\u017fcript>",
  "\uff1cscript\uff1eCALL\uff1c/script\uff1e",
  "<img src=`x:` onerror=`CALL`>",
  "<img/src=x:/onerror=CALL//",
  "<img\u000bsrc=x:\u000bonerror=CALL>",
  "<img src=x: onerror\u0000=CALL>",
  "<i\u0000mg src=x: onerror=CALL>",
  "<img src=x: one\u2028rror=CALL>",
  "<<img src=x: onerror=CALL>//<",
  "<a href=javascript&colon;CALL autofocus onfocus=CALL>x</a>",
  "<button popovertarget=contents onbeforetoggle=CALL>x</button>",
  "<button type=submit formaction=javascript:CALL>x</button>",
  "<isindex action=javascript:CALL>",
  "<div contenteditable autofocus onfocus=CALL>x</div>",
  "<x id=conversation class=part packed><noscript>&lt;img src=x: onerror=CALL&gt;</noscript></x>",
  "&lt;/noscript&gt;&lt;img src=x: onerror=CALL&gt;",
  "&amp;lt;img src=x: onerror=CALL&amp;gt;",
  "&#60;img src=x: onerror=CALL&#62;",
  "&#x3c;img src=x: onerror=CALL&#x3e;",
  "&lt&#x003Cscript&GT;CALL&NewLine;&Tab;&colon;&lpar;1&rpar;",
  "%3Cscript%3ECALL%3C/script%3E",
  "\\u003cscript\\u003eCALL\\x3c/script\\x3e",
  "+ADw-script+AD4-CALL+ADw-/script+AD4-",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a template would run
  "${CALL}`${CALL}`#{CALL}{{constructor.constructor('CALL')()}}<%= CALL %>",
  "';CALL//\";CALL//`;CALL//*/CALL/*",
  "\\';CALL//\\\";CALL//",
  "$& $` $' $1 $<name> $$",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
];

/** What breaks out of Markdown, and of what Markdown becomes. */
const MARKDOWN = [
  '[x](https://a.b "\\" onmouseover=CALL x=\\"")',
  "[x](https://a.b 'title\" onmouseover=\"CALL')",
  '[x](https://a.b (title" autofocus onfocus="CALL))',
  "[<img src=x: onerror=CALL>](https://a.b)",
  "[x](https://a.b)<script>CALL</script>",
  '![" onerror="CALL](https://a.b)',
  '![x](data:image/png;base64,AAAA"onerror="CALL)',
  "![x](data:image/png;base64,iVBORw0KGgo=)",
  '![x" onload="CALL](data:image/png;base64,iVBORw0KGgo=)',
  "[^1]\n\n[^1]: <script>CALL</script>",
  "[^<script>CALL</script>]\n\n[^<script>CALL</script>]: x",
  "```<script>CALL</script>\nx\n```",
  '```js" onmouseover="CALL\nx\n```',
  '```js class="x" onclick="CALL"\nx\n```',
  '~~~ "><script>CALL</script>\nx\n~~~',
  "```html\n<script>CALL</script>\n```",
  "```xml\n</code></pre></div><script>CALL</script>\n```",
  "```markdown\n<script>CALL</script>\n```",
  "```\n```\n<script>CALL</script>",
  "    </code></pre><script>CALL</script>",
  "`</code><script>CALL</script>`",
  "``` ` ```<script>CALL</script>",
  "<script>CALL</script>\n===",
  "# <script>CALL</script> {onclick=CALL}",
  "# x {#conversation .part onclick=CALL}",
  "> <script>\n> CALL\n> </script>",
  "- [x] <input autofocus onfocus=CALL>",
  "1. <script>CALL</script>\n   - <img src=x: onerror=CALL>",
  '|<script>CALL</script>|\n|:-" onclick="CALL|\n|`</td><script>CALL</script>`|',
  "<div>\n\n**<script>CALL</script>**\n\n</div>",
  "<!--\n\n<script>CALL</script>\n\n-->",
  "<?x\n<script>CALL</script>\n?>",
  "*<img src=x: *onerror=CALL>*",
  '_<a href="_javascript:CALL_">x</a>_',
  'https://a.b/"><script>CALL</script>',
  "https://a.b/'onclick='CALL",
  "https://a.b/[x](javascript:CALL)",
  "www.a.b/<img src=x: onerror=CALL>",
  'a@b.example"><script>CALL</script>',
  '<a@b.example?"onclick=CALL>',
  "<https://a.b/\"onclick='CALL'>",
  "[x](javascript:CALL 'x' \"y\")",
  "[x](https://a.b\n'\n\"onclick=CALL')",
  "[a]: https://a.b 'x\" onclick=\"CALL'\n[a][a][a]",
  "\\[x](javascript:CALL)\\<script>CALL\\</script>",
  "&lsqb;x&rsqb;&lpar;javascript:CALL&rpar;",
  "$$\\href{javascript:CALL}{x}$$ $\\url{javascript:CALL}$",
  ":::script\nCALL\n:::",
  "[redacted:<script>CALL</script>]",
  "[redacted:x-1](javascript:CALL)",
  "[redacted:x-1]: javascript:CALL",
  "*".repeat(300),
  "[".repeat(300),
  `${"> ".repeat(120)}<script>CALL</script>`,
  `${"[x](".repeat(100)}javascript:CALL${")".repeat(100)}`,
];

/** What breaks out of a style, or styles what is not its own. */
const STYLES = [
  "</style><script>CALL</script>",
  "*/}*{background:url(ADDRESS)}/*",
  "expression(CALL)",
  "-moz-binding:url(ADDRESS#x)",
  "behavior:url(ADDRESS)",
  "\\3c script\\3e CALL",
  'x" style="position:fixed;inset:0;background:url(ADDRESS)" y="',
  "x' style='background:url(ADDRESS)'",
  "x;color:red;--y:url(ADDRESS)",
  "run shown packed part entry skip bar",
];

/** What acts on a terminal, or looks like a link there. */
const TERMINAL = [
  "\u001b]8;;javascript:CALL\u0007x\u001b]8;;\u0007",
  "\u001b]8;;javascript:CALL\u001b\\x\u001b]8;;\u001b\\",
  '\u001b]8;id=1";https://a.b/"onclick="CALL\u0007x\u001b]8;;\u0007',
  "\u009d8;;javascript:CALL\u009cx",
  "\u001b]8;;ADDRESS",
  "\u001b]1337;File=inline=1:<script>CALL</script>\u0007",
  "\u001b]0;<script>CALL</script>\u0007",
  "\u001bP+q<script>CALL</script>\u001b\\",
  "\u001b[31m<script>\u001b[0mCALL\u001b[1m</script>\u001b[0m",
  "<\u001b[31mscript>CALL</scr\u001b[0mipt>",
  "&\u001b[31mlt;script&gt;CALL",
  '\u001b[31"onclick="CALLm<x',
  "\u001b[38;2;<script>CALL</script>;0;0m x",
  "\u001b[38;5;999999999999m\u001b[48;2;1;2mx\u001b[",
  "\u001b[>1m\u001b[?25l\u001b(0\u001b)B\u001bc<img src=x: onerror=CALL>",
  "\u001b[8mhidden\u001b[0m\r\u001b[2K\u001b[1A<script>CALL</script>",
  "x\bx\u007f\u0007\u000b\u000c\u000e<script>CALL</script>",
];

/** What is not what it looks like. */
const CHARACTERS = [
  "\u202e<script>CALL</script>\u202c",
  "\u2066\u2067\u2068</bdi><script>CALL</script>\u2069",
  "\u061c\u200e\u200f<b>x</b>",
  "<\u200bscript>CALL</\u200bscript>",
  "<script\u2028>CALL\u2029</script>",
  "\u2028\u2029\u0085</script>",
  "\u0000<script>CALL</script>\u0000",
  "<scr\u0000ipt>CALL</scr\u0000ipt>",
  "\ud800<script>CALL</script>\udfff",
  '\udc00\ud800"><script>CALL</script>',
  "<\ud800script>CALL</script>",
  "\ufffe\uffff\ufdd0<script>CALL</script>",
  "\ufeff<script>CALL</script>",
  "\u{e0001}\u{e003c}\u{e0073}<script>CALL</script>",
  "x\u0300\u0489<script>CALL</script>",
  "\u00bcscript\u00beCALL\u00bc/script\u00be",
  "\u3008script\u3009CALL",
];

/** Every quote, and every end of a tag, before what would then be an attribute or a tag of its own. */
function breakOuts(): string[] {
  const ends = [
    '"',
    "'",
    "`",
    '">',
    "'>",
    "`>",
    ">",
    "/>",
    "&quot;",
    "&#34;",
    "&#x27;",
    '\\"',
    "\u201d",
    '" ',
    "'\n",
    '"\t/',
  ];
  return ends.flatMap((end) => [
    `x${end}autofocus tabindex=1 onfocus=CALL onmouseover=CALL x=${end}`,
    `x${end}<img src=x: onerror=CALL>`,
    `x${end}<script>CALL</script>`,
  ]);
}

function handlers(): string[] {
  return Object.entries(EVENTS).flatMap(([element, event]) => [
    `<${element} ${event}=CALL>`,
    `<${element.toUpperCase()}/${event.replaceAll(" ", "/")}="CALL"`,
  ]);
}

function containers(): string[] {
  return CONTAINERS.flatMap((name) => [
    `</${name}><script>CALL</script>`,
    `<${name}><img src=x: onerror=CALL></${name}>`,
  ]);
}

/** Makes the corpus. What asks a server for something asks `host`, a name with a port. */
export function hostilePayloads(host: string): string[] {
  const payloads = [
    "<script>CALL</script>",
    ...handlers(),
    ...containers(),
    ...MUTATIONS,
    ...breakOuts(),
    ...hostileLinks(),
    ...REQUESTS,
    ...MARKDOWN,
    ...STYLES,
    ...TERMINAL,
    ...CHARACTERS,
    `${"n".repeat(2_000)}<script>CALL</script>`,
    `${"\n".repeat(200)}<script>CALL</script>`,
  ];
  const said = payloads.map((payload) =>
    payload
      .replaceAll("CALL", () => CALL)
      .replaceAll("ADDRESS", `http://${host}/asked`)
      .replaceAll("HOST", host),
  );
  return [...new Set(said)];
}
