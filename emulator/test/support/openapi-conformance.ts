import type { Client } from "./emulator";

type Json = Record<string, unknown>;

/** Returns the required fields that a response body lacks according to /openapi.json; empty if it conforms. */
export async function missingFields(
  client: Client,
  [method, path, status]: [method: string, path: string, status: number],
  responseBody: unknown,
): Promise<string[]> {
  const { body } = await client.get("/openapi.json");
  const document = body as unknown as Json;
  const response = getPath(document, "paths", path, method, "responses", String(status));
  if (response === undefined) return [`${method} ${path} describes no ${status}`];
  return missingIn(document, getPath(response, "content", "application/json", "schema") as Json, responseBody, "");
}

function missingIn(document: Json, schema: Json, value: unknown, at: string): string[] {
  const reference = /[^/]+$/.exec(String(schema.$ref ?? ""))?.[0];
  if (reference) return missingIn(document, getPath(document, "components", "schemas", reference) as Json, value, at);
  if (Array.isArray(value))
    return value.flatMap((item, index) => missingIn(document, (schema.items ?? {}) as Json, item, `${at}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  const { required = [], properties = {} } = schema as { required?: string[]; properties?: Record<string, Json> };
  const below = Object.entries(value).flatMap(([name, field]) =>
    missingIn(document, properties[name] ?? {}, field, `${at}.${name}`),
  );
  return [...required.filter((name) => !(name in value)).map((name) => `${at}.${name}`), ...below];
}

function getPath(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Json | undefined)?.[key], value);
}
