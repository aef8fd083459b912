import { Check, Minus } from "lucide-react";
import { type MouseEvent, type ReactNode, useId } from "react";

export interface CheckboxProps {
  checked: boolean | "indeterminate";
  /** The event tells what was held with it. */
  onCheckedChange(checked: boolean, event: MouseEvent): void;
  disabled?: boolean;
  /** Beside the box; without one it needs `aria-label`. */
  children?: ReactNode;
  "aria-label"?: string;
  tabIndex?: number;
}

const STATES = { true: "checked", false: "unchecked", indeterminate: "indeterminate" } as const;

/** A box that is checked or not. */
export function Checkbox({ checked, onCheckedChange, disabled = false, children, ...props }: CheckboxProps) {
  const id = useId();
  const box = (
    <button
      type="button"
      role="checkbox"
      id={id}
      aria-checked={checked === "indeterminate" ? "mixed" : checked}
      data-state={STATES[`${checked}`]}
      disabled={disabled}
      onClick={(event) => onCheckedChange(checked !== true, event)}
      className="flex size-4 shrink-0 items-center justify-center rounded-sm bg-field text-on-accent ring-1 ring-line-strong ring-inset disabled:opacity-50 data-[state=checked]:bg-accent-fill data-[state=indeterminate]:bg-accent-fill data-[state=checked]:ring-0 data-[state=indeterminate]:ring-0"
      {...props}
    >
      {checked === "indeterminate" && <Minus aria-hidden size={12} />}
      {checked === true && <Check aria-hidden size={12} strokeWidth={3} />}
    </button>
  );
  if (children === undefined) return box;
  return (
    <div className="flex items-center gap-2 text-sm touch:min-h-11">
      {box}
      <label htmlFor={id}>{children}</label>
    </div>
  );
}
