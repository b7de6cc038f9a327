/** How the programs in all languages are written and laid out. */
import type { Value } from "./program.ts";

const WIDTH = 90;

/** How a language writes lists and objects. */
export interface Style {
  indent: string;
  /** Ends the last item of several lines. */
  trailing: string;
  /** What stands inside of brackets on one line: a space in TypeScript. */
  padding?: string;
}

/** Writes items between brackets: on one line if they fit, otherwise each on its own. */
export function bracket(open: string, items: readonly string[], close: string, style: Style): string {
  const { indent, trailing, padding = "" } = style;
  if (items.length === 0) return `${open}${close}`;
  const line = `${open}${padding}${items.join(", ")}${padding}${close}`;
  if (!line.includes("\n") && line.length <= WIDTH - 20) return line;
  return lines(open, items, close, { indent, trailing });
}

/** Writes items between brackets, each on its own line. */
export const lines = (open: string, items: readonly string[], close: string, { indent, trailing }: Style) =>
  `${open}\n${indented(items.join(",\n") + trailing, indent)}\n${close}`;

export const indented = (text: string, indent: string) => text.replace(/^(?=.)/gm, indent);

/** Writes a value without a type, such as a message, of JSON. */
export interface AnyWriter {
  text: (value: string) => string;
  boolean: (value: boolean) => string;
  list: (items: string[]) => string;
  map: (entries: [key: string, value: string][]) => string;
}

export function writeAny(value: unknown, writer: AnyWriter): string {
  const write = (part: unknown) => writeAny(part, writer);
  if (Array.isArray(value)) return writer.list(value.map(write));
  if (typeof value === "object" && value !== null)
    return writer.map(Object.entries(value).map(([key, part]): [string, string] => [key, write(part)]));
  if (typeof value === "boolean") return writer.boolean(value);
  return typeof value === "string" ? writer.text(value) : String(value);
}

/** How a language writes the kinds of values that it writes differently: others are JSON. */
type Writers = { [Kind in Value["kind"]]?: (value: Value & { kind: Kind }) => string };

export function writerOf(any: AnyWriter, writers: Writers) {
  return (value: Value): string => {
    const own = writers[value.kind] as ((value: Value) => string) | undefined;
    if (own) return own(value);
    return value.kind === "any" ? writeAny(value.value, any) : JSON.stringify((value as { value: unknown }).value);
  };
}

/** "support-agent" becomes "supportAgent". */
export const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** "deploymentId" becomes "deployment_id". */
export const snake = (name: string) =>
  name.replaceAll("-", "_").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** "deploymentId" becomes "DeploymentId". */
export const pascal = (name: string) => camel(name).replace(/^\w/, (letter) => letter.toUpperCase());

export const quote = (text: string) => JSON.stringify(text);
