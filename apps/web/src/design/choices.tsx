import { Check, ChevronDown } from "lucide-react";
import { Select as RadixSelect, Switch as RadixSwitch, ToggleGroup } from "radix-ui";
import { type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";

export interface SwitchProps {
  checked: boolean;
  onCheckedChange(checked: boolean): void;
  disabled?: boolean;
  label: string;
  hint?: ReactNode;
}

/** An on/off switch with immediate effect. */
export function Switch({ checked, onCheckedChange, disabled = false, label, hint }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4 touch:min-h-11">
      <div>
        <label htmlFor={id} className="text-sm">
          {label}
        </label>
        {hint !== undefined && <p className="text-faint text-xs">{hint}</p>}
      </div>
      <RadixSwitch.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onCheckedChange}
        className="mt-0.5 h-5 w-9 shrink-0 rounded-full bg-line-strong p-0.5 transition-colors disabled:opacity-50 data-[state=checked]:bg-accent-fill"
      >
        <RadixSwitch.Thumb className="block size-4 rounded-full bg-on-accent transition-transform data-[state=checked]:translate-x-4" />
      </RadixSwitch.Root>
    </div>
  );
}

export interface Option<Value extends string> {
  value: Value;
  text: string;
}

export interface SelectProps<Value extends string> {
  value: Value;
  onChange(value: Value): void;
  options: readonly Option<Value>[];
  id?: string;
  className?: string;
  disabled?: boolean;
  "aria-label"?: string;
  "aria-describedby"?: string | undefined;
}

/** One of many, behind a button. An option's value may not be empty. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, onChange, options, className, disabled = false, ...attributes } = props;
  return (
    <RadixSelect.Root value={value} onValueChange={(chosen) => onChange(chosen as Value)} disabled={disabled}>
      <RadixSelect.Trigger
        className={classNames(
          "flex h-8 min-w-0 items-center justify-between gap-2 rounded-md bg-field px-2.5 text-left text-sm ring-1 ring-line ring-inset hover:ring-line-strong disabled:opacity-50 touch:h-11",
          className,
        )}
        {...attributes}
      >
        <span className="truncate">
          <RadixSelect.Value />
        </span>
        <ChevronDown aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
      </RadixSelect.Trigger>
      <RadixSelect.Portal>
        <RadixSelect.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-[fade_100ms] overflow-hidden rounded-lg bg-raised p-1 shadow-pop"
        >
          <RadixSelect.Viewport>
            {options.map((option) => (
              <RadixSelect.Item
                key={option.value}
                value={option.value}
                className="relative flex min-h-8 select-none items-center rounded-md pr-3 pl-8 text-sm outline-none data-[highlighted]:bg-press touch:min-h-11"
              >
                <RadixSelect.ItemIndicator className="absolute left-2">
                  <Check aria-hidden size={16} />
                </RadixSelect.ItemIndicator>
                <RadixSelect.ItemText>{option.text}</RadixSelect.ItemText>
              </RadixSelect.Item>
            ))}
          </RadixSelect.Viewport>
        </RadixSelect.Content>
      </RadixSelect.Portal>
    </RadixSelect.Root>
  );
}

export interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  onChange(value: Value): void;
  /** Called where one may be about to be chosen: the pointer or the focus is on it. */
  onIntent?(value: Value): void;
  options: readonly Option<Value>[];
}

/** One of a few, all in sight. */
export function Segments<Value extends string>({ label, value, onChange, onIntent, options }: SegmentsProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      // Pressing what is chosen would choose nothing.
      onValueChange={(chosen) => chosen !== "" && onChange(chosen as Value)}
      className="inline-flex max-w-full flex-wrap rounded-md bg-press p-0.5"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          onPointerEnter={() => onIntent?.(option.value)}
          onFocus={() => onIntent?.(option.value)}
          className="h-7 rounded-sm px-3 text-muted text-sm hover:text-ink data-[state=on]:bg-raised data-[state=on]:text-ink touch:h-10"
        >
          {option.text}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
