import { errorText } from "./error-state.tsx";
import { Field, Input } from "./input.tsx";

export interface NameFieldProps {
  label: string;
  hint?: string;
  value: string;
  onChange(name: string): void;
  /** The command that saves the name. Typing removes its error. */
  command: { error: unknown; reset(): void };
}

/** The first field of a dialog that creates something: its name, with the error of the last attempt. */
export function NameField({ label, hint, value, onChange, command }: NameFieldProps) {
  return (
    <Field label={label} hint={hint} error={command.error === null ? null : errorText(command.error)}>
      {(attributes) => (
        <Input
          {...attributes}
          maxLength={100}
          value={value}
          onChange={(event) => {
            command.reset();
            onChange(event.target.value);
          }}
        />
      )}
    </Field>
  );
}
