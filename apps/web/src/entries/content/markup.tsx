/** HTML that one of the core's renderers has made, see `@sm/core/rendering`. Nothing else becomes one. */
declare const made: unique symbol;
export type RenderedHtml = string & { readonly [made]: true };

interface MarkupProps {
  as: "code" | "samp" | "div";
  html: RenderedHtml;
}

/** Puts rendered HTML into the page: the only place that does. */
export function Markup({ as: Element, html }: MarkupProps) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the renderers escape all that is not their own
  return <Element dangerouslySetInnerHTML={{ __html: html }} />;
}
