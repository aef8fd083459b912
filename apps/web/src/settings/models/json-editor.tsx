import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { jsonColors } from "./json-colors.ts";
import { placeOf } from "./problem-places.ts";

/** A problem in a part of the text. */
export interface Problem {
  /** As the service names it: `providers.local.models.0.id`. */
  path: string;
  message: string;
}

export interface JsonEditorProps {
  label: string;
  /** What it begins with. */
  text: string;
  /** What the service has said about the text as it is. */
  problems: readonly Problem[];
  onChange(text: string): void;
  onSave(): void;
}

/** A JSON editor that marks problems. Tab leaves it, so that it is not a keyboard trap. */
export function JsonEditor({ label, text, problems, onChange, onSave }: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const latest = useRef({ problems, onChange, onSave });
  useEffect(() => {
    latest.current = { problems, onChange, onSave };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other problems are the reason
  useEffect(() => {
    if (editor.current !== null) forceLinting(editor.current);
  }, [problems]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins with them once; whoever has others gives a key
  useEffect(() => {
    if (place.current === null) return;
    const parse = jsonParseLinter();
    const check = (view: EditorView): Diagnostic[] => {
      const content = view.state.doc.toString();
      const mistakes = parse(view);
      if (mistakes.length > 0) return mistakes;
      return latest.current.problems.map(({ path, message }) => ({
        ...placeOf(content, path),
        severity: "error",
        message,
      }));
    };
    const save = () => {
      latest.current.onSave();
      return true;
    };
    editor.current = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          foldGutter(),
          lintGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label }),
          keymap.of([{ key: "Mod-s", run: save }, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
          json(),
          jsonColors,
          linter(check, { delay: 300, needsRefresh: () => true }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange(state.doc.toString());
          }),
          LOOK,
        ],
      }),
    });
    return () => {
      editor.current?.destroy();
      editor.current = null;
    };
  }, []);

  return (
    <div
      ref={place}
      className="overflow-hidden rounded-lg bg-sunken focus-within:outline-2 focus-within:outline-accent"
    />
  );
}

const LOOK = EditorView.theme({
  "&": { fontSize: "13px", maxHeight: "56vh" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "20px" },
  ".cm-content": { padding: "12px 0", caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { background: "transparent", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "var(--hover)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in oklab, var(--accent) 28%, transparent) !important",
  },
  "&.cm-focused .cm-matchingBracket": { background: "var(--press)", outline: "none" },
  ".cm-foldPlaceholder": { background: "var(--press)", border: "none", color: "var(--muted)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--danger)",
    textUnderlineOffset: "3px",
  },
  ".cm-tooltip": { background: "var(--raised)", border: "none", borderRadius: "6px", boxShadow: "var(--shadow-pop)" },
  ".cm-diagnostic": { borderLeft: "none", color: "var(--danger)", padding: "6px 10px" },
});
