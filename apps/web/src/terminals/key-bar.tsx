import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, ClipboardPaste, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { toast } from "../design/toast.tsx";
import { type PlainTextKey, t } from "../i18n/text.ts";
import { keySequence, type SpecialKey } from "./special-keys.ts";
import type { TerminalSession } from "./terminal-session.ts";

const ARROWS: readonly { key: SpecialKey; icon: LucideIcon; text: PlainTextKey }[] = [
  { key: "up", icon: ArrowUp, text: "terminals.key_up" },
  { key: "down", icon: ArrowDown, text: "terminals.key_down" },
  { key: "left", icon: ArrowLeft, text: "terminals.key_left" },
  { key: "right", icon: ArrowRight, text: "terminals.key_right" },
];

/** Characters that are hard to reach on the keyboard of a phone. */
const CHARACTERS = ["|", "/", "-", "~"] as const;

interface KeyBarProps {
  session: TerminalSession;
  hasControl: boolean;
}

/** Keys that the keyboards of phones do not have. */
export function KeyBar({ session, hasControl }: KeyBarProps) {
  const press = (key: SpecialKey) => session.press(keySequence(key, session.terminal.modes.applicationCursorKeysMode));

  async function paste() {
    try {
      session.paste(await navigator.clipboard.readText());
    } catch {
      toast({ text: t("terminals.paste_failed"), tone: "danger" });
    }
  }

  return (
    <div
      role="toolbar"
      aria-label={t("terminals.keys")}
      className="hidden shrink-0 gap-1 overflow-x-auto bg-panel p-1 touch:flex"
    >
      <Key onPress={() => press("escape")}>Esc</Key>
      <Key onPress={() => press("tab")}>Tab</Key>
      <Key isPressed={hasControl} onPress={() => session.setControl(!hasControl)}>
        Ctrl
      </Key>
      {ARROWS.map(({ key, icon: Icon, text }) => (
        <Key key={key} label={t(text)} onPress={() => press(key)}>
          <Icon aria-hidden size={17} strokeWidth={1.75} />
        </Key>
      ))}
      {CHARACTERS.map((character) => (
        <Key key={character} onPress={() => session.press(character)}>
          {character}
        </Key>
      ))}
      <Key label={t("terminals.paste")} onPress={() => void paste()}>
        <ClipboardPaste aria-hidden size={17} strokeWidth={1.75} />
      </Key>
    </div>
  );
}

interface KeyProps {
  label?: string;
  isPressed?: boolean;
  onPress(): void;
  children: ReactNode;
}

function Key({ label, isPressed, onPress, children }: KeyProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isPressed}
      // The keyboard stays open as long as the terminal has the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
      className="flex h-11 min-w-11 shrink-0 items-center justify-center rounded-md px-2 font-mono text-sm active:bg-press aria-pressed:bg-accent-fill aria-pressed:text-on-accent"
    >
      {children}
    </button>
  );
}
