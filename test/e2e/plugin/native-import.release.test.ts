/** Imports with the native provider: the command, the resource option and `get`, for every kind. */
import { changedProperties, steps } from "../support/cli/events";
import { nativeStack, OwnedWorld, program } from "../support/programs/all-kinds";

const world = new OwnedWorld();

test("pulumi import adopts every kind, and the next preview shows only credentials, which are hidden", async () => {
  const stack = await nativeStack(world, "command");
  await stack.program.file("index.js", "");
  await stack.program.file("imports.json", world.importFile());
  await world.requests();
  const imported = await stack.run(
    ...["import", "--file", "imports.json", "--generate-code=false", "--protect=false", "--yes", "--skip-preview"],
  );
  expect(imported).toMatchObject({ code: 0 });
  expect(imported.output).toContain(
    `Deployment ${world.ids.agent} is already managed by organization/urn:pulumi:dev::owner`,
  );
  expect(await stack.readBackend()).not.toContain("a-secret-value");

  await stack.program.file("index.js", program());
  const preview = await stack.preview();
  expect(changedProperties(preview).sort()).toEqual(["credentials.accessKeyId", "credentials.secretAccessKey"]);
  expect(preview.output).toContain("in place: credentials");
  expect(world.writes()).toEqual([]);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
});

test("the option import previews what the update after it changes, and a destroy deletes the object", async () => {
  const stack = await nativeStack(world, "option");
  const options = Object.fromEntries(
    Object.entries(world.ids).map(([name, id]) => [name, `{ import: ${JSON.stringify(id)} }`]),
  );
  await stack.program.file("index.js", program(options, "agent:2.0.0"));
  const preview = await stack.preview();
  expect(preview.output).toContain("new revision: imageUri 1.0.0 -> 2.0.0");
  expect(steps(preview)).toEqual(expect.arrayContaining(["import agent", "update agent", "import thread"]));
  expect(steps(preview)).not.toContain("update thread");

  expect(await stack.up()).toMatchObject({ code: 0 });
  await stack.program.file("index.js", "");
  await world.destroyCompletely(stack);
});

// The engine keeps a resource whose replacement failed in state after an import, and a destroy fails (docs/errors.md).
test("an import in place of a failed replacement works after the replaced resource is removed from state", async () => {
  const stack = await nativeStack(world, "replaced");
  const source = (prefix: string, options = "{}") => `const agentgraph = require("pulumi-agentgraph/native");
    const moved = new agentgraph.BulkExportDestination("moved", { destinationType: "s3", displayName: "moved",
      config: { bucketName: "exports", prefix: "${prefix}", endpointUrl: process.env.BUCKET_URL },
      credentials: { accessKeyId: "a-bucket-key", secretAccessKey: "a-bucket-secret" } }, ${options});
    new agentgraph.BulkExport("once", { bulkExportDestinationId: moved.id, allExperiments: true,
      startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-02T00:00:00Z" });`;
  for (const prefix of ["a", "b"]) {
    await stack.program.file("index.js", source(prefix));
    expect(await stack.up()).toMatchObject({ code: 0 });
  }
  // The server still has the destination with the first prefix, since an export refers to it.
  await stack.program.file("index.js", source("a"));
  const [, id] = /import: "([^"]+)"/.exec((await stack.up()).output) ?? [];
  const replaced = stack.urn("moved", "agentgraph:index:BulkExportDestination");
  await stack.runOrThrow("state", "delete", replaced, "--target-dependents", "--yes");
  await stack.program.file("index.js", source("a", JSON.stringify({ import: id })));
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});
