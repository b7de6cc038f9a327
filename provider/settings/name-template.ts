/** The default name of a resource. The SDK loads this file, so it has no dependencies. */

export interface NameParts {
  /** The name of the resource in the program. */
  name: string;
  stack: string;
  project: string;
}

/** @param template The setting `nameTemplate`; without one, the default name is that of the resource. */
export function resolveName(template: string | undefined, { name, stack, project }: NameParts): string {
  const values: Record<string, string> = { name, stack, project };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: users write this placeholder in a setting.
  return (template || "${name}").replace(/\$\{(\w+)\}/g, (text, key: string) => values[key] ?? text);
}
