import type { ButtonHTMLAttributes } from "preact";

/** A button, which submits no form unless its type says so. */
export function Button({ text, ...rest }: ButtonHTMLAttributes & { text: string }) {
  return (
    <button type="button" {...rest}>
      {text}
    </button>
  );
}

interface FieldProps {
  label: string;
  value: string | undefined;
  onChange(value: string): void;
  class?: string;
}

type Option = string | readonly [value: string, title: string];

/** A choice of texts, or of values with titles. */
export function SelectField({ label, value, onChange, options, ...rest }: FieldProps & { options: readonly Option[] }) {
  return (
    <label {...rest}>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map((option) => {
          const [key, title] = typeof option === "string" ? [option, option] : option;
          return <option key={key} value={key} children={title} />;
        })}
      </select>
    </label>
  );
}

interface TextFieldProps extends FieldProps {
  type?: "text" | "search";
  placeholder?: string | undefined;
  pattern?: string;
  required?: boolean;
  inputMode?: "numeric";
}

/** A line of text. Its browser offers nothing that was written before. */
export function TextField({ label, value, onChange, type = "text", class: className, ...rest }: TextFieldProps) {
  return (
    <label class={className}>
      {label}
      <input
        autocomplete="off"
        {...rest}
        type={type as "text"}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

interface CheckFieldProps {
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
}

export function CheckField({ label, checked, onChange }: CheckFieldProps) {
  return (
    <label class="inline">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {label}
    </label>
  );
}
