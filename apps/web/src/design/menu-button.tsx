import { type ReactNode, Suspense, useState } from "react";
import { IconButton, type IconButtonProps } from "./button.tsx";
import type { MenuAtProps, MenuPlace } from "./menu.tsx";

/** What a menu gets from the button that opens it, to be handed to its `MenuAt`. */
export type MenuOfButton = Pick<MenuAtProps, "at" | "onClose" | "label">;

interface MenuButtonProps extends Pick<IconButtonProps, "icon" | "label" | "size"> {
  /** Renders the menu, a `LazyPart`. */
  children(menu: MenuOfButton): ReactNode;
}

/** A button whose menu is loaded after the first screen: at the latest when the button is pointed at or focused. */
export function MenuButton({ children, ...button }: MenuButtonProps) {
  const [isWanted, setWanted] = useState(false);
  const [at, setAt] = useState<MenuPlace | null>(null);
  const want = () => setWanted(true);

  function open(element: HTMLElement, byKey: boolean) {
    want();
    // Not every browser focuses what is clicked, and the menu gives the focus back to what had it.
    element.focus({ preventScroll: true });
    const { x, y, width, height } = element.getBoundingClientRect();
    setAt({ x, y, width, height, byKey });
  }

  return (
    <>
      <IconButton
        {...button}
        aria-haspopup="menu"
        aria-expanded={at !== null}
        data-state={at === null ? "closed" : "open"}
        onPointerEnter={want}
        onFocus={want}
        // A key clicks without a count.
        onClick={({ currentTarget, detail }) => open(currentTarget, detail === 0)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          open(event.currentTarget, true);
        }}
      />
      <Suspense>{isWanted && children({ at, onClose: () => setAt(null), label: button.label })}</Suspense>
    </>
  );
}
