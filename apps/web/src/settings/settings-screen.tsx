import { Link, useParams } from "@tanstack/react-router";
import { type ComponentType, Suspense } from "react";
import { useIsHub, useMayChange } from "../client/hub.ts";
import { ErrorBoundary, NotFoundScreen } from "../design/error-screen.tsx";
import { lazyPart } from "../design/lazy-part.ts";
import { SkeletonLines } from "../design/placeholder.tsx";
import { Screen } from "../design/screen.tsx";
import { ScrollBox } from "../design/scroll-box.tsx";
import { t } from "../i18n/text.ts";
import { AboutSection } from "./about-section.tsx";
import { AgentsSection } from "./agents/agents-section.tsx";
import { AppearanceSection } from "./appearance-section.tsx";
import { DirectoriesSection } from "./directories/directories-section.tsx";
import { MachinesSection } from "./hub/machines-section.tsx";
import { ReadsSection } from "./hub/reads-section.tsx";
import { SharingSection } from "./hub/sharing-section.tsx";
import { KeysSection } from "./keys/keys-section.tsx";
import { PromptsSection, SkillsSection, ThemesSection } from "./resources/resource-sections.tsx";
import { groupsFor, type Section, type SectionGroup, type SectionName, sectionOf } from "./sections.ts";
import { ServerSection } from "./server/server-section.tsx";
import { VaultSection } from "./vault/vault-section.tsx";
import { VersionsSection } from "./versions/versions-section.tsx";

const CONTENTS: Record<SectionName, ComponentType> = {
  sessions: DirectoriesSection,
  agents: AgentsSection,
  appearance: AppearanceSection,
  server: ServerSection,
  vault: VaultSection,
  // The editor is as large as all the rest.
  models: lazyPart(() => import("./models/models-section.tsx"), "ModelsSection", "asked"),
  skills: SkillsSection,
  prompts: PromptsSection,
  themes: ThemesSection,
  "api-keys": KeysSection,
  versions: VersionsSection,
  about: AboutSection,
  machines: MachinesSection,
  sharing: SharingSection,
  reads: ReadsSection,
};

/** The settings: one part of them, beside the names of all. */
export function SettingsScreen() {
  const { _splat: name = "" } = useParams({ from: "/settings/$" });
  const isHub = useIsHub();
  const mayChange = useMayChange();
  const groups = groupsFor({ isHub, mayChange });
  const section = sectionOf(name, groups);
  if (section === null) return <NotFoundScreen />;
  const Content = CONTENTS[section.name];
  return (
    <Screen title={t("settings.title", { section: t(section.title) })} isPlain>
      <div className="flex min-h-0 flex-1 phone:flex-col">
        <SectionLinks groups={groups} current={section} />
        <ScrollBox
          as="div"
          label={t(section.title)}
          className="min-h-0 flex-1 overflow-y-auto px-6 pb-12 outline-offset-[-2px] phone:px-4 phone:pt-2"
        >
          <div className="max-w-180">
            <ErrorBoundary resetKey={section.name}>
              <Suspense fallback={<SkeletonLines count={6} />}>
                <Content />
              </Suspense>
            </ErrorBoundary>
          </div>
        </ScrollBox>
      </div>
    </Screen>
  );
}

function SectionLinks({ groups, current }: { groups: readonly SectionGroup[]; current: Section }) {
  return (
    <nav
      aria-label={t("rail.settings")}
      className="flex shrink-0 gap-5 overflow-auto px-3 pb-4 desk:w-52 desk:flex-col phone:gap-0 phone:px-2 phone:pb-2"
    >
      {groups.map(({ title, sections }) => (
        <div key={title} className="phone:flex">
          <h2 className="flex h-7 items-center px-2 font-normal text-faint text-xs phone:hidden">{t(title)}</h2>
          {sections.map(({ name, title, icon: Icon }) => (
            <Link
              key={name}
              to="/settings/$"
              params={{ _splat: name }}
              aria-current={name === current.name ? "page" : undefined}
              ref={name === current.name ? showLink : null}
              className="flex min-h-8 items-center gap-2.5 whitespace-nowrap rounded-md px-2 text-muted text-sm hover:bg-hover hover:text-ink aria-[current=page]:bg-selected aria-[current=page]:text-ink touch:min-h-11 phone:px-3"
            >
              <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 phone:hidden" />
              {t(title)}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** On a phone the names scroll sideways. */
function showLink(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: "nearest", inline: "center" });
}
