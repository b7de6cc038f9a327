import { type CommandResult, succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { messagesOf } from "../support/cli/events";
import { API_KEY, World } from "../support/world";
import { agentgraph } from "./command";

const world = new World({ strict: true, speed: "instant", apiKey: API_KEY });
let stack: CliStack;
let preview: CommandResult;
let text: string;

/** Source text: all that the second one declares differs from the first. */
function program(second: boolean): string {
  const { url: endpointUrl, accessKeyId, secretAccessKey } = world.emulator.bucket;
  const pick = (first: unknown, other: unknown) => JSON.stringify(second ? other : first);
  const deployment = (name: string, args: string) =>
    `const ${name} = new agentgraph.Deployment("${name}", { source: "external_docker", sourceRevisionConfig: ` +
    `{ imageUri: "r.example.com/a:1" }, ${args} });`;
  const destination = (name: string, prefix: string, credentials = "") =>
    `const ${name} = new agentgraph.BulkExportDestination("${name}", { destinationType: "s3", displayName: "${name}",
      config: { bucketName: "exports", prefix: ${prefix}, endpointUrl: ${JSON.stringify(endpointUrl)} },
      credentials: { ...${JSON.stringify({ accessKeyId, secretAccessKey })}, ${credentials} } });`;
  return [
    deployment(
      "revised",
      `secrets: ${pick({ A: "first-secret", B: "lost-secret" }, { A: "second-secret", C: "new-secret" })}`,
    ),
    deployment("renamed", `name: ${pick("first-name", "second-name")}`),
    deployment("later", `secretReferences: { X: { secretName: "s", secretKey: ${pick("a", "b")} } }`),
    second ? deployment("fresh", 'secrets: { URL: revised.url, KEY: "fresh-secret" }') : deployment("gone", ""),
    destination("moved", pick("one", "two")),
    destination("rotated", '"r"', second ? 'sessionToken: "a-session-token"' : ""),
    'const aim = { allExperiments: true, startTime: "2026-01-01T00:00:00Z" };',
    'new agentgraph.ScheduledBulkExport("daily", { ...aim, bulkExportDestinationId: moved.id, intervalHours: 168 });',
    `new agentgraph.BulkExport("once", { ...aim, bulkExportDestinationId: rotated.id, endTime: ` +
      `${pick("2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z")} });`,
  ].join("\n");
}

const review = (...args: string[]) => agentgraph({ args: ["review", ...args], cwd: stack.program.folder });

const SECRETS = /(first|second|lost|new|fresh)-secret|a-session-token/;

beforeAll(async () => {
  stack = await world.stack({ project: "review", env: world.tracing });
  await stack.program.write(program(false));
  expect(await stack.up()).toMatchObject({ code: 0 });
  await stack.program.write(program(true));
});

test("the preview JSON becomes a comment that lists the impact, the most severe first", async () => {
  // A preview of a fork has no key.
  stack.env.AGENTGRAPH_API_KEY = "";
  preview = await succeeds(stack.preview("--json"));
  await stack.program.file("preview.json", preview.output);
  const { code, stdout, stderr } = await review("preview.json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  text = stdout;
  // How many windows are past depends on the day.
  const above = text.slice(0, text.indexOf("<details>")).replace(/\d+ past windows/, "N past windows");
  expect(above.split("\n").filter(Boolean)).toEqual([
    "<!-- agentgraph-review:review/dev -->",
    "### `review/dev`: 4 to replace, 1 to delete, 3 to update, 1 to create",
    "1 new revision, changed secrets in 2 resources",
    "> [!CAUTION]",
    "> **2 resources lose data, 2 exports restart, 1 more replaced or deleted**",
    ">",
    "> - **Deployment** `renamed`: **REPLACED, its database and threads are lost**: `name` `first-name` -> " +
      "`second-name`; `keepConversations` would move them",
    "> - **Deployment** `gone`: **DELETED, its database and threads are lost**",
    "> - **BulkExport** `once`: restarts the export: `endTime`",
    "> - **BulkExportDestination** `moved`: REPLACED: `config.prefix`; restarts the exports that write to it",
    ">   - **ScheduledBulkExport** `daily`: restarts the export: `bulkExportDestinationId` (its destination " +
      "is replaced); N past windows are exported again",
    "> [!WARNING]",
    "> **Warnings**",
    ">",
    "> - **Deployment** `revised`: `secrets.B`: is removed. If that is not on purpose, its value was " +
      "undefined in the program, or it was added outside of the program.",
    "- **BulkExportDestination** `rotated`: in place: `credentials`",
    "- **Deployment** `later`: takes effect with the next revision: `secretReferences.X.secretKey`; some platforms " +
      "make one at once",
    "- **Deployment** `revised`: new revision: `secrets.A`, `secrets.B` (removed), `secrets.C`",
    "- **Deployment** `fresh`: created",
  ]);
  expect(text).toContain("! secrets.A: [secret] changed\n- secrets.B: [secret]\n+ secrets.C: [secret]\n");
  expect(text).toContain("The preview ran without `apiKey`, which a preview does not need.");
  expect(text).not.toMatch(SECRETS);
});

test("the event log becomes the same comment, and the rows of the preview show the same texts", async () => {
  await stack.program.file("events.json", preview.events.map((event) => JSON.stringify(event)).join("\n"));
  expect(await review("events.json")).toMatchObject({ code: 0, stdout: text });
  const { stacks } = JSON.parse((await review("events.json", "--json")).stdout);
  const changed = stacks[0].changes.filter(({ op }: { op: string }) => op === "update" || op === "replace");
  expect(changed).toHaveLength(7);
  for (const { name, summary } of changed) expect(messagesOf(preview, name)).toContain(summary);
});

test("a program that does not load is reported as a failed preview of its stack", async () => {
  await stack.program.file("index.js", "this is not a program");
  await stack.program.file("preview.json", (await stack.run("preview", "--json")).output);
  const { code, stdout } = await review("preview.json");
  expect(code).toBe(1);
  expect(stdout).toContain("<!-- agentgraph-review:review/dev -->\n\n### `review/dev`: the preview failed\n");
  expect(stdout).toContain("SyntaxError: ");
});
