import { visibleCode } from "@sm/core/rendering";
import { Menu } from "lucide-react";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { t } from "../i18n/text.ts";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";

/** Opens the navigation where it is not beside the screen. */
export const OpenNavigation = createContext<() => void>(() => {});

export interface ScreenProps {
  title: string;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** For content that scrolls by itself and goes to the edges. */
  isPlain?: boolean;
  children: ReactNode;
}

/** A screen beside the rail: a title, actions, and content that scrolls. */
export function Screen({ title, actions, isPlain = false, children }: ScreenProps) {
  useTitle(title);
  return (
    <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col bg-paper">
      <ScreenHeader title={title} actions={actions} />
      {isPlain ? (
        <div className="flex min-h-0 flex-1 flex-col">{children}</div>
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto px-6 pb-10 phone:px-4">
          <div className="mx-auto max-w-260">{children}</div>
        </div>
      )}
    </main>
  );
}

export interface ScreenHeaderProps {
  title: string;
  actions?: ReactNode;
  className?: string;
}

/** The first line of a screen; on a phone it opens the navigation. */
export function ScreenHeader({ title, actions, className }: ScreenHeaderProps) {
  return (
    <header className={classNames("flex h-13 shrink-0 items-center gap-2 px-4 phone:px-2", className)}>
      <NavigationButton />
      <h1 className="min-w-0 flex-1 truncate text-lg">{title}</h1>
      {actions}
    </header>
  );
}

/** Opens the navigation on a phone. */
export function NavigationButton() {
  const open = useContext(OpenNavigation);
  return <IconButton icon={Menu} label={t("frame.menu")} onClick={open} className="desk:hidden" />;
}

/** Names the window after what it shows. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${visibleCode(title)} · ${t("frame.app")}`;
  }, [title]);
}
