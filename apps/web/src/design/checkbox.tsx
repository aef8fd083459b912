import { Check, Minus } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";

export interface CheckboxProps {
  checked: boolean | "indeterminate";
  onCheckedChange(checked: boolean): void;
  disabled?: boolean;
  /** Beside the box; without one it needs `aria-label`. */
  children?: ReactNode;
  "aria-label"?: string;
  tabIndex?: number;
}

/** A box that is checked or not. */
export function Checkbox({ checked, onCheckedChange, disabled = false, children, ...props }: CheckboxProps) {
  const id = useId();
  const box = (
    <Radix.Root
      id={id}
      checked={checked}
      disabled={disabled}
      onCheckedChange={(next) => onCheckedChange(next === true)}
      className="flex size-4 shrink-0 items-center justify-center rounded-sm bg-field ring-1 ring-line-strong ring-inset disabled:opacity-50 data-[state=checked]:bg-accent-fill data-[state=indeterminate]:bg-accent-fill data-[state=checked]:ring-0 data-[state=indeterminate]:ring-0"
      {...props}
    >
      <Radix.Indicator className="text-on-accent">
        {checked === "indeterminate" ? (
          <Minus aria-hidden size={12} />
        ) : (
          <Check aria-hidden size={12} strokeWidth={3} />
        )}
      </Radix.Indicator>
    </Radix.Root>
  );
  if (children === undefined) return box;
  return (
    <div className="flex items-center gap-2 text-sm touch:min-h-11">
      {box}
      <label htmlFor={id}>{children}</label>
    </div>
  );
}
