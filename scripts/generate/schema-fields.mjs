/** Writes properties of the package schema as Markdown lists, with the names and types of one language. */

/** Returns the name of a resource, function or type without its package: "agentgraph:index:Thread" is "Thread". */
export const nameOf = (token) => token.split(":").at(-1);

/**
 * @param language `name(key)` is the name of a property and `text(description)` its description; `types` maps the
 *   primitive types; `list`, `map`, `any` and `link(name)` write the others
 */
export function fieldWriter({ name, text, types, list, map, any, link }) {
  /**
   * @param title Written above the list; may be empty.
   * @param required Names of the properties that must be specified; absent for those that the server returns.
   */
  function fields(title, properties, required = []) {
    const entries = Object.entries(properties);
    if (entries.length === 0) return "";
    const order = (key) => (required.includes(key) ? 0 : 1);
    entries.sort(([one], [other]) => order(one) - order(other));
    const items = entries.map(([key, property]) => {
      const marks = [required.includes(key) && "required", property.secret && "secret"].filter(Boolean);
      const details = [typeName(property), ...marks].join(", ");
      return item(`\`${name(key)}\` (${details})`, property.description);
    });
    return `${title && `**${title}:**\n\n`}${items.join("")}`;
  }

  /** Returns a list item; a description of several paragraphs is indented. */
  function item(label, description) {
    if (!description) return `- ${label}\n`;
    const indented = text(description)
      .replace(/\n+(?=- )/g, "\n")
      .replaceAll("\n", "\n  ");
    return `- ${label}: ${indented}\n`;
  }

  function typeName({ type: plain, $ref, oneOf, items, additionalProperties }) {
    if (oneOf) return oneOf.map(typeName).join(" or ");
    if ($ref === "pulumi.json#/Any") return any;
    if ($ref) return `[${nameOf($ref)}](${link(nameOf($ref))})`;
    if (items) return list(typeName(items));
    if (additionalProperties) return map(typeName(additionalProperties));
    return types[plain];
  }

  function type([token, { description, enum: values, properties, required }]) {
    const body = values
      ? values.map(({ value, description: meaning }) => item(`\`"${value}"\``, meaning)).join("")
      : fields("Keys", properties, required);
    return `### ${nameOf(token)}\n\n${text(description)}\n\n${body}`;
  }

  return { fields, type };
}

/** Splits the description of a resource: its summary, its examples in Markdown, and how to import an object. */
export function resourceTexts({ description }) {
  const [summary, rest = ""] = description.split("\n\n## Example Usage");
  const [examples, imports] = rest.split("\n\n## Import\n\n");
  return { summary, examples: examples.replace(/^\{\{%.*%\}\}\n?/gm, "").trim(), imports };
}

/** Returns the outputs of a resource that are not also inputs. */
export const pureOutputs = ({ properties, inputProperties }) =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !Object.hasOwn(inputProperties, key)));
