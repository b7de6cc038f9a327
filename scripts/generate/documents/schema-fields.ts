/** Writes properties of the package schema as Markdown lists. */
import type { ComplexTypeSpec, PropertySpec, ResourceSpec, TypeSpec } from "../../../dist/plugin/schema/spec.js";

/** Returns the name of a resource, function or type without its package: "agentgraph:index:Thread" is "Thread". */
export const nameOf = (token: string): string => token.split(":").at(-1) ?? "";

/** @param title Above the list; may be empty. @param required The required properties; absent for outputs. */
export function fields(title: string, properties: Record<string, PropertySpec>, required: readonly string[] = []) {
  const entries = Object.entries(properties);
  if (entries.length === 0) return "";
  const order = (key: string) => (required.includes(key) ? 0 : 1);
  entries.sort(([one], [other]) => order(one) - order(other));
  const items = entries.map(([key, property]) => {
    const marks = [required.includes(key) && "required", property.secret && "secret"].filter(Boolean);
    const details = [typeName(property), ...marks].join(", ");
    return item(`\`${key}\` (${details})`, property.description);
  });
  return `${title && `**${title}:**\n\n`}${items.join("")}`;
}

/** Returns a list item; a description of several paragraphs is indented. */
function item(label: string, description: string | undefined) {
  if (!description) return `- ${label}\n`;
  return `- ${label}: ${description.replace(/\n+(?=- )/g, "\n").replaceAll("\n", "\n  ")}\n`;
}

function typeName({ type = "object", $ref, oneOf, items, additionalProperties }: TypeSpec): string {
  if (oneOf) return oneOf.map(typeName).join(" or ");
  if ($ref === "pulumi.json#/Any") return "any value";
  if ($ref) return `[${nameOf($ref)}](types.md#${nameOf($ref).toLowerCase()})`;
  if (items) return `list of ${typeName(items)}`;
  return additionalProperties ? `map of ${typeName(additionalProperties)}` : type;
}

export function typeSection([token, spec]: [string, ComplexTypeSpec]) {
  const body =
    "enum" in spec
      ? spec.enum.map(({ value, description }) => item(`\`"${value}"\``, description)).join("")
      : fields("Keys", spec.properties, spec.required);
  return `## ${nameOf(token)}\n\n${spec.description}\n\n${body}`;
}

/** Splits a description: its summary, its examples in Markdown, and how to import an object. */
export function textsOf({ description }: { description: string }) {
  const [summary = "", rest = ""] = description.split("\n\n## Example Usage");
  const [examples = "", imports = ""] = rest.split("\n\n## Import\n\n");
  return { summary, examples: examples.replace(/^\{\{%.*%\}\}\n?/gm, "").trim(), imports };
}

/** Returns the outputs of a resource that are not also inputs. */
export const pureOutputs = ({ properties, inputProperties }: ResourceSpec) =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !Object.hasOwn(inputProperties, key)));
