import { Check, ChevronRight, type LucideIcon } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Keys } from "./keys.tsx";

const SURFACE =
  "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 max-w-80 animate-[fade_100ms] overflow-y-auto rounded-lg bg-raised p-1 shadow-pop";

const ITEM =
  "flex min-h-8 select-none items-center gap-2 rounded-md px-2 text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-press data-[state=open]:bg-press touch:min-h-11";

export interface MenuProps {
  /** One element that opens it. */
  trigger: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "right" | "bottom" | "left";
  children: ReactNode;
}

/** A menu that a button opens. */
export function Menu({ trigger, align = "start", side = "bottom", children }: MenuProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content align={align} side={side} sideOffset={4} collisionPadding={8} className={SURFACE}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface MenuAtProps {
  /** Where it opens, in pixels of the window; `null`: it is closed. */
  at: { x: number; y: number } | null;
  onClose(): void;
  /** Puts the focus where it belongs, when the menu has let it go. */
  onClosed?(): void;
  /** Read to those who do not see it. */
  label: string;
  children: ReactNode;
}

/** A menu at a point: the one of a row, wherever its row is asked for it. */
export function MenuAt({ at, onClose, onClosed, label, children }: MenuAtProps) {
  return (
    <Radix.Root open={at !== null} onOpenChange={(open) => open || onClose()}>
      <Radix.Trigger asChild>
        <span aria-hidden tabIndex={-1} className="fixed size-0" style={{ left: at?.x ?? 0, top: at?.y ?? 0 }} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed?.();
          }}
          align="start"
          sideOffset={2}
          collisionPadding={8}
          className={SURFACE}
        >
          {children}
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
  return (
    <Radix.Item
      disabled={disabled}
      onSelect={onSelect}
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
  options: readonly { value: Value; text: string }[];
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

export function SubMenu({ icon: Icon, text, children }: SubMenuProps) {
  return (
    <Radix.Sub>
      <Radix.SubTrigger className={ITEM}>
        {Icon !== undefined && <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />}
        <span className="flex-1">{text}</span>
        <ChevronRight aria-hidden size={16} strokeWidth={1.75} className="text-muted" />
      </Radix.SubTrigger>
      <Radix.Portal>
        <Radix.SubContent sideOffset={4} collisionPadding={8} className={SURFACE}>
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
