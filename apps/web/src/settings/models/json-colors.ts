import { syntaxTree } from "@codemirror/language";
import type { Range } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

const LITERAL = Decoration.mark({ class: "cm-json-literal" });

const MARKS: Readonly<Record<string, Decoration>> = {
  PropertyName: Decoration.mark({ class: "cm-json-name" }),
  String: Decoration.mark({ class: "cm-json-string" }),
  Number: LITERAL,
  True: LITERAL,
  False: LITERAL,
  Null: LITERAL,
};

/** Gives names and values the colours of code that tokens.css has, in both themes. */
export const jsonColors = [
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = colorsIn(view);
      }

      update({ view, docChanged, viewportChanged, startState, state }: ViewUpdate): void {
        if (docChanged || viewportChanged || syntaxTree(startState) !== syntaxTree(state)) {
          this.decorations = colorsIn(view);
        }
      }
    },
    { decorations: ({ decorations }) => decorations },
  ),
  EditorView.theme({
    ".cm-json-name": { color: "var(--code-name)" },
    ".cm-json-string": { color: "var(--code-string)" },
    ".cm-json-literal": { color: "var(--code-number)" },
  }),
];

function colorsIn(view: EditorView): DecorationSet {
  const colored: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter({ name, from, to }) {
        const mark = MARKS[name];
        if (mark !== undefined) colored.push(mark.range(from, to));
      },
    });
  }
  return Decoration.set(colored);
}
