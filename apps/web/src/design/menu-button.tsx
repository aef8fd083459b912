import { type ReactNode, Suspense, useState } from "react";
import { IconButton, type IconButtonProps } from "./button.tsx";
import type { MenuAtProps } from "./menu.tsx";

/** What a menu gets from the button that opens it, to be handed to its `MenuAt`. */
export type MenuOfButton = Pick<MenuAtProps, "at" | "onClose" | "label">;

interface MenuButtonProps extends Pick<IconButtonProps, "icon" | "label" | "size"> {
  /** Renders the menu, a `LazyPart`. */
  children(menu: MenuOfButton): ReactNode;
}

/** A button whose menu is loaded after the first screen: at the latest when the button is pointed at or focused. */
export function MenuButton({ children, ...button }: MenuButtonProps) {
  const [isWanted, setWanted] = useState(false);
  const [at, setAt] = useState<DOMRect | null>(null);
  const want = () => setWanted(true);

  function open(element: HTMLElement) {
    want();
    // Not every browser focuses what is clicked, and the menu gives the focus back to what had it.
    element.focus({ preventScroll: true });
    setAt(element.getBoundingClientRect());
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
        onClick={({ currentTarget }) => open(currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          open(event.currentTarget);
        }}
      />
      <Suspense>{isWanted && children({ at, onClose: () => setAt(null), label: button.label })}</Suspense>
    </>
  );
}
