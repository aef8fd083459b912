import { Check, ChevronRight, type LucideIcon } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import { createContext, type FocusEvent, type ReactNode, type RefObject, useContext, useRef, useState } from "react";
import { useIsPhone } from "../browser/use-matches.ts";
import { classNames } from "./class-names.ts";
import { useFocusBack } from "./focus.ts";
import { Keys } from "./keys.tsx";

const SURFACE =
  "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 max-w-80 animate-[fade_100ms] overflow-y-auto rounded-lg bg-raised p-1 shadow-pop";

const ITEM =
  "flex min-h-8 select-none items-center gap-2 rounded-md px-2 text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-press data-[state=open]:bg-press touch:min-h-11";

/** What was chosen, and happens when the menu has given the focus back. */
const Chosen = createContext<RefObject<(() => void) | null>>({ current: null });

/** What a menu does when it has closed, and where its items put what they do. */
function useClosing(isOpen: boolean, trigger?: RefObject<HTMLElement | null>) {
  const chosen = useRef<(() => void) | null>(null);
  const focusBack = useFocusBack(isOpen, trigger);
  function onCloseAutoFocus(event: Event) {
    focusBack(event);
    chosen.current?.();
    chosen.current = null;
  }
  return { chosen, onCloseAutoFocus };
}

/**
 * Puts the focus on the first item of a menu that keys have asked for. Radix does so too, but not where the menu was
 * loaded after the key.
 */
function useFirstItem(at: MenuPlace | null): (event: FocusEvent<HTMLElement>) => void {
  const entered = useRef<MenuPlace | null>(null);
  return ({ target, currentTarget: menu }) => {
    if (target !== menu || at?.byKey !== true || entered.current === at) return;
    entered.current = at;
    menu.querySelector<HTMLElement>("[role^=menuitem]:not([data-disabled])")?.focus({ preventScroll: true });
  };
}

export interface MenuProps {
  /** One element that opens it. */
  trigger: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "right" | "bottom" | "left";
  children: ReactNode;
}

/** A menu that a button opens, on screens that are loaded when they are opened; others have `MenuButton`. */
export function Menu({ trigger, align = "start", side = "bottom", children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { chosen, onCloseAutoFocus } = useClosing(isOpen, button);
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger asChild ref={button}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          onCloseAutoFocus={onCloseAutoFocus}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={SURFACE}
        >
          <Chosen value={chosen}>{children}</Chosen>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Where a menu opens, in pixels of the window: at a point, or beside what has a size. */
export interface MenuPlace {
  x: number;
  y: number;
  width?: number;
  height?: number;
  /** Whether a key has asked for it: the next one belongs to its first item. */
  byKey?: boolean;
}

export interface MenuAtProps {
  /** `null`: it is closed. */
  at: MenuPlace | null;
  onClose(): void;
  /** Read to those who do not see it. */
  label: string;
  align?: "start" | "end";
  side?: "top" | "bottom";
  children: ReactNode;
}

/** A menu at a place: the one of a row, wherever its row is asked for it, or of a button that is there before it. */
export function MenuAt({ at, onClose, label, align = "start", side = "bottom", children }: MenuAtProps) {
  const { chosen, onCloseAutoFocus } = useClosing(at !== null);
  const toFirstItem = useFirstItem(at);
  // It stays where it was while it is closed, and is another one elsewhere: nothing tells the menu that it has moved.
  const [place, setPlace] = useState<MenuPlace>(at ?? { x: 0, y: 0 });
  if (at !== null && at !== place) setPlace(at);
  const { x, y, width = 0, height = 0 } = place;
  return (
    <Radix.Root open={at !== null} onOpenChange={(open) => open || onClose()}>
      <Radix.Trigger asChild key={`${x} ${y}`}>
        <span
          aria-hidden
          tabIndex={-1}
          className="pointer-events-none fixed"
          style={{ left: x, top: y, width, height }}
        />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          onFocus={toFirstItem}
          onCloseAutoFocus={onCloseAutoFocus}
          align={align}
          side={side}
          sideOffset={height === 0 ? 2 : 4}
          collisionPadding={8}
          className={SURFACE}
        >
          <Chosen value={chosen}>{children}</Chosen>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface MenuItemProps {
  icon?: LucideIcon;
  /** Keys that do the same. */
  keys?: string;
  isDanger?: boolean;
  disabled?: boolean;
  onSelect(): void;
  children: ReactNode;
}

export function MenuItem({ icon: Icon, keys, isDanger = false, disabled = false, onSelect, children }: MenuItemProps) {
  const chosen = useContext(Chosen);
  return (
    <Radix.Item
      disabled={disabled}
      onSelect={() => {
        chosen.current = onSelect;
      }}
      className={classNames(ITEM, isDanger && "text-danger data-[highlighted]:bg-danger-soft")}
    >
      {Icon !== undefined && <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys !== undefined && <Keys keys={keys} className="touch:hidden" />}
    </Radix.Item>
  );
}

export interface MenuCheckProps {
  checked: boolean | "indeterminate";
  onCheckedChange(checked: boolean): void;
  /** Leaves the menu open, for another choice. */
  keepOpen?: boolean;
  children: ReactNode;
}

/** One of several that may hold at a time. */
export function MenuCheck({ checked, onCheckedChange, keepOpen = false, children }: MenuCheckProps) {
  return (
    <Radix.CheckboxItem
      checked={checked}
      onCheckedChange={onCheckedChange}
      {...(keepOpen ? { onSelect: (event: Event) => event.preventDefault() } : {})}
      className={classNames(ITEM, "relative pl-8")}
    >
      <Radix.ItemIndicator className="absolute left-2">
        {checked === "indeterminate" ? <span aria-hidden>–</span> : <Check aria-hidden size={16} strokeWidth={2} />}
      </Radix.ItemIndicator>
      <span className="flex min-w-0 flex-1 items-center gap-2 truncate">{children}</span>
    </Radix.CheckboxItem>
  );
}

export interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; text: ReactNode }[];
  onChange(value: Value): void;
}

/** One of several, with a heading. */
export function MenuChoice<Value extends string>({ label, value, options, onChange }: MenuChoiceProps<Value>) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
      <MenuLabel>{label}</MenuLabel>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={classNames(ITEM, "relative pl-8")}>
          <Radix.ItemIndicator className="absolute left-2">
            <Check aria-hidden size={16} strokeWidth={2} />
          </Radix.ItemIndicator>
          {option.text}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export interface SubMenuProps {
  icon?: LucideIcon;
  text: string;
  children: ReactNode;
}

/** Beside its menu there is no room for it on a phone: it lies over all of the menu but an edge. */
const OVER_MENU = -200;

export function SubMenu({ icon: Icon, text, children }: SubMenuProps) {
  const isPhone = useIsPhone();
  return (
    <Radix.Sub>
      <Radix.SubTrigger className={ITEM}>
        {Icon !== undefined && <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />}
        <span className="flex-1">{text}</span>
        <ChevronRight aria-hidden size={16} strokeWidth={1.75} className="text-muted" />
      </Radix.SubTrigger>
      <Radix.Portal>
        <Radix.SubContent
          sideOffset={isPhone ? OVER_MENU : 4}
          collisionPadding={8}
          className={classNames(SURFACE, "phone:max-w-64")}
        >
          {children}
        </Radix.SubContent>
      </Radix.Portal>
    </Radix.Sub>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-2 pb-1 text-faint text-xs">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="mx-2 my-1 h-px bg-line" />;
}
