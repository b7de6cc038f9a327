import type { Context } from "../runtime/context";
import { errorSchema } from "../runtime/errors";
import type { ObjectSchema, Schema } from "../runtime/validation/schema";
import { any, anyObject, list, object, required, string } from "../runtime/validation/schema";
import type { Vocabulary } from "../runtime/validation/vocabulary";
import type { Route } from "./route";

type Json = Record<string, unknown>;

/** The version of the interface (API `9`). */
const interfaceVersion = "0.1.0";

const validationError = object("ValidationError", {
  loc: required(list(any())),
  msg: required(string()),
  type: required(string()),
  input: any(),
  ctx: anyObject(),
});
const httpValidationError = object("HTTPValidationError", { detail: list(validationError) });

const errorDescriptions: Readonly<Record<number, string>> = {
  400: "Invalid value",
  401: "Missing or expired credentials",
  403: "Invalid credentials, or no access to the workspace",
  404: "Not found in this workspace",
  409: "Conflict with the current state",
  413: "Request body too large",
  422: "Validation error",
  429: "Export quota exceeded",
  500: "Unexpected error",
  503: "Not running",
};

/** Returns the OpenAPI document of the enabled routes, in wire terms. */
export function describeRoutes(routes: readonly Route[], { vocabulary }: Pick<Context, "vocabulary">): Json {
  const writer = new SchemaWriter(vocabulary);
  const paths: Record<string, Json> = {};
  const ids = new Set<string>();
  for (const route of routes) {
    const path = vocabulary.routePath(route.path);
    const method = route.method.toLowerCase();
    // Generators of clients need unique IDs. Routes that are disabled together have one name.
    const operationId = ids.has(route.name) ? `${route.name}-${method}` : route.name;
    ids.add(operationId);
    paths[path] = { ...paths[path], [method]: { operationId, ...toOperation(route, writer) } };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Agent deployments and trace exports", version: interfaceVersion },
    paths,
    components: { schemas: writer.components, securitySchemes },
  };
}

const securitySchemes = {
  ApiKey: { type: "apiKey", in: "header", name: "X-Api-Key" },
  TenantId: { type: "apiKey", in: "header", name: "X-Tenant-Id" },
  Bearer: { type: "http", scheme: "bearer" },
};
/** An API key or a bearer token, with the workspace where the credentials can access several. */
const security = [{ ApiKey: [] }, { ApiKey: [], TenantId: [] }, { Bearer: [] }, { Bearer: [], TenantId: [] }];
const requiresBothHeaders = [{ ApiKey: [], TenantId: [] }];

function toOperation(route: Route, writer: SchemaWriter): Json {
  const pathNames = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]));
  const parameters = [
    ...pathNames.map((name) => {
      const schema = { type: "string", ...(!route.textParams?.includes(name) && { format: "uuid" }) };
      return { name, in: "path", required: true, schema };
    }),
    ...Object.entries(route.query ?? {}).map(([name, field]) => ({
      name,
      in: "query",
      required: field.required === true,
      schema: writer.write(field),
    })),
  ];
  return {
    summary: route.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: { required: !route.bodyOptional, content: jsonContent(writer.write(route.body)) },
    }),
    ...(route.rawBody && { requestBody: { required: true, content: { [route.rawBody.contentType]: {} } } }),
    responses: {
      ...successResponse(route.success, writer),
      ...(route.partialSuccess && successResponse(route.partialSuccess, writer)),
      ...errorResponses(route, pathNames.length > 0, writer),
    },
    ...(!route.isPublic && { security: route.requiresBothHeaders ? requiresBothHeaders : security }),
  };
}

function successResponse({ status, schema, description }: Route["success"], writer: SchemaWriter): Json {
  return { [status]: { description, ...(schema && { content: jsonContent(writer.write(schema)) }) } };
}

function errorResponses(route: Route, hasPathParameters: boolean, writer: SchemaWriter): Json {
  const statuses = new Set([
    ...(route.isPublic ? [] : [401, 403]),
    ...(hasPathParameters ? [404] : []),
    ...(route.body || route.rawBody ? [413] : []),
    ...(route.body || route.query || hasPathParameters ? [422] : []),
    ...(route.errors ?? []),
  ]);
  const responses = [...statuses].sort().map((status) => {
    const schema = writer.write(status === 422 && !route.hasTextErrors ? httpValidationError : errorSchema);
    return [status, { description: errorDescriptions[status], content: jsonContent(schema) }];
  });
  return Object.fromEntries(responses);
}

function jsonContent(schema: Json): Json {
  return { "application/json": { schema } };
}

/** Converts schemas to JSON Schema; objects become components. */
class SchemaWriter {
  readonly components: Record<string, Json> = {};

  constructor(private readonly vocabulary: Vocabulary) {}

  write(schema: Schema): Json {
    const { description, nullable, readOnly } = schema;
    const annotations = {
      ...(description !== undefined && { description }),
      ...(schema.default !== undefined && { default: schema.default }),
      ...(readOnly && { readOnly }),
    };
    const valueSchema = this.valueSchema(schema);
    return nullable ? { anyOf: [valueSchema, { type: "null" }], ...annotations } : { ...valueSchema, ...annotations };
  }

  private valueSchema(schema: Schema): Json {
    switch (schema.type) {
      case "string": {
        const { minLength, maxLength, pattern } = schema;
        return omitUndefined({ type: "string", minLength, maxLength, pattern });
      }
      case "integer":
      case "number": {
        const { minimum, maximum, ceiling, multipleOf } = schema;
        return omitUndefined({ type: schema.type, minimum, maximum: maximum ?? ceiling, multipleOf });
      }
      case "boolean":
        return { type: "boolean" };
      case "uuid":
        return { type: "string", format: "uuid" };
      case "datetime":
        return { type: "string", format: "date-time" };
      case "enum":
        return { type: "string", enum: schema.values.map((word) => this.vocabulary.enumValue(word)) };
      case "list":
        return omitUndefined({ type: "array", items: this.write(schema.items), maxItems: schema.maxItems });
      case "map":
        return { type: "object", additionalProperties: this.write(schema.values) };
      case "free":
        return { type: "object", additionalProperties: true };
      case "any":
        return {};
      case "object":
        return this.reference(schema);
    }
  }

  private reference({ title, fields }: ObjectSchema): Json {
    if (!(title in this.components)) {
      const names = Object.keys(fields);
      const properties = names.map((name) => [this.vocabulary.fieldName(name), this.write(fields[name] ?? any())]);
      const requiredNames = names
        .filter((name) => fields[name]?.required)
        .map((name) => this.vocabulary.fieldName(name));
      this.components[title] = {
        type: "object",
        title,
        properties: Object.fromEntries(properties),
        ...(requiredNames.length > 0 && { required: requiredNames }),
      };
    }
    return { $ref: `#/components/schemas/${title}` };
  }
}

function omitUndefined(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}
