import { bulkExports } from "../support/bulk-export/exports";
import { start } from "../support/emulator";

interface Operation {
  operationId: string;
  summary: string;
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}
type Content = Record<string, { schema: { $ref?: string; items?: { $ref: string } } }>;

/** Returns the name of the schema of a body; a list has the name of its items. */
function schemaOf(content: Content | undefined): string | undefined {
  const schema = content?.["application/json"]?.schema;
  const name = (schema?.items ?? schema)?.$ref?.replace("#/components/schemas/", "");
  return schema?.items ? `${name}[]` : name;
}

/** Returns `<method> <path>` -> the operation, for the exports and their destinations. */
async function operationsOf(): Promise<Map<string, Operation>> {
  const { body } = await (await start()).get("/openapi.json");
  const { paths } = body as unknown as { paths: Record<string, Record<string, Operation>> };
  const own = Object.entries(paths).filter(([path]) => path.startsWith(bulkExports));
  return new Map(
    own.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method} ${path.slice(bulkExports.length)}`.trim(),
        operation,
      ]),
    ),
  );
}

/** Each request: its operation, what it does, the schema of its body, what it returns, and its errors. */
const OPERATIONS = [
  `get /destinations: destination-list
    List the destinations of exports
    no body -> 200 Destination[]: The destinations of the workspace, newest first
    401 403`,
  `post /destinations: destination-create
    Create a destination of exports
    DestinationCreate -> 200 Destination: The new destination
    400 401 403 413 422`,
  `get /destinations/{destination_id}: destination
    Retrieve a destination of exports
    no body -> 200 Destination: The destination, without its secrets
    401 403 404 422`,
  `patch /destinations/{destination_id}: destination-patch
    Replace the credentials of a destination
    DestinationUpdate -> 200 Destination: The destination, without its secrets
    400 401 403 404 413 422`,
  `delete /destinations/{destination_id}: destination-delete
    Delete a destination that no export refers to
    no body -> 204: The destination is deleted
    401 403 404 409 422`,
  `get: export-list
    List exports
    no body -> 200 Export[]: The exports of the workspace, newest first
    401 403 422`,
  `post: export-create
    Create an export, one-time or scheduled
    ExportCreate -> 200 Export: The new export
    400 401 403 404 413 422 429`,
  `get /runs: spawned-runs
    List the runs of all exports that a schedule created
    no body -> 200 ExportRun[]: The runs, in order
    401 403 404 422`,
  `get /{export_id}: export
    Retrieve an export
    no body -> 200 Export: The export
    401 403 404 422`,
  `patch /{export_id}: export-cancel
    Cancel an export
    ExportUpdate -> 200 Export: The canceled export
    401 403 404 409 413 422`,
  `get /{export_id}/runs: export-runs
    List the runs of an export
    no body -> 200 ExportRun[]: One run for each day and project, in order
    401 403 404 422`,
  `get /{export_id}/runs/{run_id}: export-run
    Retrieve a run of an export
    no body -> 200 ExportRun: The run
    401 403 404 422`,
];

describe("/openapi.json", () => {
  test("describes each operation on exports and destinations, with what it expects and returns", async () => {
    const described = [...(await operationsOf())].map(([request, { operationId, summary, requestBody, responses }]) => {
      const [[status, success], ...errors] = byStatus(responses);
      const returned = [status, schemaOf(success.content)].filter(Boolean).join(" ");
      const body = schemaOf(requestBody?.content) ?? "no body";
      return [
        `${request}: ${operationId}`,
        summary,
        `${body} -> ${returned}: ${success.description}`,
        errors.map(([code]) => code).join(" "),
      ].join("\n    ");
    });
    expect(described).toEqual(OPERATIONS);
  });

  test("names the schemas of a destination's parts", async () => {
    const { body } = await (await start()).get("/openapi.json");
    const { components } = body as unknown as { components: { schemas: object } };
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(["DestinationConfig", "DestinationCredentials", "ExportRunMetadata", "ExportRunResult"]),
    );
  });
});

/** Returns the responses by status, the success first. */
function byStatus(responses: Operation["responses"]) {
  const entries = Object.entries(responses).sort(([a], [b]) => Number(a) - Number(b));
  return entries as [(typeof entries)[number], ...typeof entries];
}
