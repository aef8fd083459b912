import {
  Bot,
  BotMessageSquare,
  Brush,
  Folders,
  History,
  Info,
  KeyRound,
  type LucideIcon,
  Palette,
  Server,
  Sparkles,
  SquareSlash,
  Vault,
} from "lucide-react";
import type { PlainTextKey } from "../i18n/text.ts";

export type SectionName =
  | "sessions"
  | "agents"
  | "appearance"
  | "server"
  | "vault"
  | "models"
  | "skills"
  | "prompts"
  | "themes"
  | "api-keys"
  | "versions"
  | "about";

export interface Section {
  /** The last part of its address, `/settings/<name>`. */
  name: SectionName;
  title: PlainTextKey;
  icon: LucideIcon;
}

export interface SectionGroup {
  title: PlainTextKey;
  sections: readonly Section[];
}

/** The parts of the settings, as the navigation shows them. */
export const GROUPS: readonly SectionGroup[] = [
  {
    title: "settings.general",
    sections: [
      { name: "sessions", title: "settings.sessions", icon: Folders },
      { name: "agents", title: "settings.agents", icon: BotMessageSquare },
      { name: "vault", title: "settings.vault", icon: Vault },
      { name: "appearance", title: "settings.appearance", icon: Palette },
      { name: "server", title: "settings.server", icon: Server },
    ],
  },
  {
    title: "settings.agent",
    sections: [
      { name: "models", title: "settings.models", icon: Bot },
      { name: "skills", title: "settings.skills", icon: Sparkles },
      { name: "prompts", title: "settings.prompts", icon: SquareSlash },
      { name: "themes", title: "settings.themes", icon: Brush },
    ],
  },
  {
    title: "settings.advanced",
    sections: [
      { name: "api-keys", title: "settings.api_keys", icon: KeyRound },
      { name: "versions", title: "settings.versions", icon: History },
      { name: "about", title: "settings.about", icon: Info },
    ],
  },
];

const SECTIONS = GROUPS.flatMap(({ sections }) => sections);

/** The part that an address names; `null` where it names none of them. */
export function sectionOf(name: string): Section | null {
  if (name === "") return SECTIONS[0] ?? null;
  return SECTIONS.find((section) => section.name === name) ?? null;
}
