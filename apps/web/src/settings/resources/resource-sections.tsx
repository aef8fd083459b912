import type { CommandOutput } from "@sm/router/client";
import { Brush, Sparkles, SquareSlash } from "lucide-react";
import { t } from "../../i18n/text.ts";
import { SectionIntro } from "../section-parts.tsx";
import { ResourceList } from "./resource-list.tsx";

type Prompt = CommandOutput<"list_prompts">[number];
type Theme = CommandOutput<"list_themes">[number];

/** What the agent knows how to do. */
export function SkillsSection() {
  return (
    <>
      <SectionIntro>{t("settings.skills_text")}</SectionIntro>
      <ResourceList
        command="list_skills"
        label={t("settings.skills")}
        icon={Sparkles}
        none={t("settings.skills_none")}
        noneText={t("settings.skills_none_text")}
      />
    </>
  );
}

/** Texts that are called by a name. */
export function PromptsSection() {
  return (
    <>
      <SectionIntro>{t("settings.prompts_text")}</SectionIntro>
      <ResourceList
        command="list_prompts"
        label={t("settings.prompts")}
        icon={SquareSlash}
        none={t("settings.prompts_none")}
        noneText={t("settings.prompts_none_text")}
        nameOf={(prompt: Prompt) => (
          <>
            /{prompt.name}
            {prompt.argument_hint !== null && <span className="pl-2 text-faint">{prompt.argument_hint}</span>}
          </>
        )}
      />
    </>
  );
}

/** Colours of the agent in a terminal. */
export function ThemesSection() {
  return (
    <>
      <SectionIntro>{t("settings.themes_text")}</SectionIntro>
      <ResourceList
        command="list_themes"
        label={t("settings.themes")}
        icon={Brush}
        none={t("settings.themes_none")}
        noneText={t("settings.themes_none_text")}
        extraOf={(theme: Theme) => <Swatches colors={theme.colors} />}
      />
    </>
  );
}

/** Some colours, by which one knows a theme again. */
const SHOWN = ["accent", "success", "warning", "error", "mdHeading", "mdLink", "syntaxKeyword", "syntaxString"];

function Swatches({ colors }: { colors: Readonly<Record<string, string>> }) {
  const shown = SHOWN.flatMap((name) => {
    const color = Object.hasOwn(colors, name) ? colors[name] : undefined;
    return color ? [{ name, color }] : [];
  });
  return (
    <span aria-hidden className="flex shrink-0 overflow-hidden rounded-md">
      {shown.map(({ name, color }) => (
        <span key={name} className="h-5 w-4" style={{ backgroundColor: color }} />
      ))}
    </span>
  );
}
