/** Lists what an OpenAPI description has: routes, their parameters, fields of objects and enumerated values. */
interface Schema {
  properties?: Record<string, Schema>;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

export function openApiItems({ paths, components }: OpenApi): string[] {
  const items = new Set<string>();
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const route = `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, "{}")}`;
      items.add(`route ${route}`);
      for (const { name, in: place } of operation.parameters ?? [])
        if (place !== "path") items.add(`${place} ${route} ${name}`);
      for (const { schema } of Object.values(operation.requestBody?.content ?? {})) addFields(route, schema, items);
    }
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) addFields(name, schema, items);
  return [...items].sort();
}

function addFields(owner: string, schema: Schema | undefined, items: Set<string>): void {
  if (!schema) return;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    items.add(`field ${owner}.${name}`);
    addFields(`${owner}.${name}`, field, items);
  }
  for (const value of schema.enum ?? (schema.const === undefined ? [] : [schema.const]))
    items.add(`value ${owner}=${value}`);
  for (const part of [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    addFields(owner, part, items);
}
