import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Tooltip } from "./tooltip.tsx";

const VARIANTS = {
  primary: "bg-accent-fill text-on-accent hover:brightness-110 active:brightness-95",
  secondary: "bg-press text-ink hover:bg-selected",
  ghost: "text-muted hover:bg-hover hover:text-ink active:bg-press data-[state=open]:bg-press",
  danger: "bg-danger-fill text-on-accent hover:brightness-110 active:brightness-95",
} as const;

const SIZES = {
  sm: "h-7 px-2 text-sm gap-1.5 rounded-md",
  md: "h-8 px-3 text-sm gap-2 rounded-md",
} as const;

const BASE =
  "inline-flex shrink-0 items-center justify-center select-none whitespace-nowrap transition-colors duration-100 disabled:opacity-50 disabled:pointer-events-none aria-disabled:opacity-50 touch:min-h-11";

export interface ButtonProps extends ComponentProps<"button"> {
  /** What it is among its neighbours: one `primary` at most. `secondary` if absent. */
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
  icon?: LucideIcon;
}

/** A button with a text. */
export function Button({ variant = "secondary", size = "md", icon: Icon, className, children, ...props }: ButtonProps) {
  return (
    <button type="button" className={classNames(BASE, VARIANTS[variant], SIZES[size], className)} {...props}>
      {Icon !== undefined && <Icon aria-hidden size={16} strokeWidth={1.75} />}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, "children"> {
  icon: LucideIcon;
  /** Its name, shown as a tooltip. */
  label: string;
  /** Keys that do the same, as `keysText` writes them. */
  keys?: string;
  children?: ReactNode;
}

/** A button that shows an icon alone. */
export function IconButton({
  icon: Icon,
  label,
  keys,
  variant = "ghost",
  size = "md",
  className,
  ...props
}: IconButtonProps) {
  const square = size === "sm" ? "size-7 rounded-md" : "size-8 rounded-md";
  return (
    <Tooltip text={label} keys={keys}>
      <button
        type="button"
        aria-label={label}
        className={classNames(BASE, VARIANTS[variant], square, "touch:min-w-11", className)}
        {...props}
      >
        <Icon aria-hidden size={size === "sm" ? 15 : 17} strokeWidth={1.75} />
      </button>
    </Tooltip>
  );
}
