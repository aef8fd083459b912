import {
  Bot,
  BotMessageSquare,
  Brush,
  Eye,
  Folders,
  History,
  Info,
  KeyRound,
  type LucideIcon,
  MonitorSmartphone,
  Palette,
  Server,
  Sparkles,
  SquareSlash,
  UsersRound,
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
  | "about"
  | "machines"
  | "sharing"
  | "reads";

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

/** The parts of the settings at home, as the navigation shows them. */
const GROUPS: readonly SectionGroup[] = [
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

/** Those of a hub, which has no agents and no files. */
const HUB_GROUPS: readonly SectionGroup[] = [
  {
    title: "settings.hub",
    sections: [
      { name: "machines", title: "settings.machines", icon: MonitorSmartphone },
      { name: "sharing", title: "settings.sharing", icon: UsersRound },
      { name: "reads", title: "settings.reads", icon: Eye },
      { name: "api-keys", title: "settings.api_keys", icon: KeyRound },
    ],
  },
  {
    title: "settings.general",
    sections: [
      { name: "appearance", title: "settings.appearance", icon: Palette },
      { name: "about", title: "settings.about", icon: Info },
    ],
  },
];

/** What readers of a hub may not do. */
const OF_MEMBERS: ReadonlySet<SectionName> = new Set(["machines", "reads", "api-keys"]);

/** The parts for who is served by a hub, or not, and may change something, or not. */
export function groupsFor({ isHub, mayChange }: { isHub: boolean; mayChange: boolean }): readonly SectionGroup[] {
  if (!isHub) return GROUPS;
  if (mayChange) return HUB_GROUPS;
  return HUB_GROUPS.map(({ title, sections }) => ({
    title,
    sections: sections.filter(({ name }) => !OF_MEMBERS.has(name)),
  }));
}

/** The part that an address names, the first where it names none; `null` where there is no such part. */
export function sectionOf(name: string, groups: readonly SectionGroup[]): Section | null {
  const sections = groups.flatMap((group) => group.sections);
  if (name === "") return sections[0] ?? null;
  return sections.find((section) => section.name === name) ?? null;
}
