import hljs from "highlight.js/lib/common";
import awk from "highlight.js/lib/languages/awk";
import clojure from "highlight.js/lib/languages/clojure";
import cmake from "highlight.js/lib/languages/cmake";
import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import dos from "highlight.js/lib/languages/dos";
import elixir from "highlight.js/lib/languages/elixir";
import erlang from "highlight.js/lib/languages/erlang";
import groovy from "highlight.js/lib/languages/groovy";
import handlebars from "highlight.js/lib/languages/handlebars";
import haskell from "highlight.js/lib/languages/haskell";
import http from "highlight.js/lib/languages/http";
import julia from "highlight.js/lib/languages/julia";
import latex from "highlight.js/lib/languages/latex";
import nginx from "highlight.js/lib/languages/nginx";
import nix from "highlight.js/lib/languages/nix";
import ocaml from "highlight.js/lib/languages/ocaml";
import powershell from "highlight.js/lib/languages/powershell";
import properties from "highlight.js/lib/languages/properties";
import protobuf from "highlight.js/lib/languages/protobuf";
import scala from "highlight.js/lib/languages/scala";
import vim from "highlight.js/lib/languages/vim";

/** Languages in addition to highlight.js's forty common ones. Loading all takes 90 ms, once. */
const MORE = {
  awk,
  clojure,
  cmake,
  dart,
  dockerfile,
  dos,
  elixir,
  erlang,
  groovy,
  handlebars,
  haskell,
  http,
  julia,
  latex,
  nginx,
  nix,
  ocaml,
  powershell,
  properties,
  protobuf,
  scala,
  vim,
};
for (const [name, language] of Object.entries(MORE)) hljs.registerLanguage(name, language);

/** Names and extensions unknown to highlight.js, with the most similar language. */
hljs.registerAliases(["vue", "svelte", "astro", "mdx"], { languageName: "xml" });
hljs.registerAliases(["json5", "jsonl", "ndjson", "webmanifest", "ipynb"], { languageName: "json" });
hljs.registerAliases(["shell-session", "terminal"], { languageName: "shell" });
hljs.registerAliases(["bashrc", "zshrc", "profile", "env", "fish"], { languageName: "bash" });
hljs.registerAliases(["gitignore", "editorconfig", "npmrc", "gitconfig"], { languageName: "ini" });
hljs.registerAliases(["sbt"], { languageName: "scala" });
hljs.registerAliases(["rakefile"], { languageName: "ruby" });

/** The grammars; use `highlightCode`, which limits their cost. */
export { hljs };

/** Language names are short; longer text after a fence is not a name. */
const MAX_NAME_LENGTH = 32;

/** The language named by the first word after a fence; `null` if unknown. */
export function languageNamed(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH) return null;
  const lower = name.toLowerCase();
  // highlight.js stores languages and aliases in objects without a prototype.
  return hljs.getLanguage(lower) === undefined ? null : lower;
}

/** The language of a file by its extension or name. */
export function languageOfPath(path: string): string | null {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  if (name.toLowerCase() === "cmakelists.txt") return "cmake";
  return languageNamed(name.slice(name.lastIndexOf(".") + 1));
}
