/**
 * The life of one deployment, from a wrong program to `pulumi destroy`. Each test continues where the previous one
 * ended.
 */
import { type CommandResult, fails, succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { changedProperties, messagesOf, steps } from "../support/cli/events";
import { type AgentOptions, agentSource, IMAGE } from "../support/programs/program";
import { API_KEY, World } from "../support/world";

const world = new World();
let stack: CliStack;
let id: string;

/** Some keys mean something to JavaScript, or look like those that the engine hides. */
const unusual = { constructor: "a-constructor", toString: "a-text", __token: "a-token" };
const secrets = { MODEL_KEY: "a-first-model-key", OTHER_KEY: "another-key", ...unusual };
const environment = { LOG_LEVEL: "debug", TOKEN: "a-marked-token" };
const declared = {
  secrets: { ...secrets, __token: "another-token" },
  image: "registry.example.com/agent:2.0.0",
  more: { environment },
};

/** Declares the deployment under another resource name. The program marks one of the values in environment. */
const renamedSource = (args: AgentOptions = {}) =>
  agentSource({ ...args, options: '{ aliases: [{ name: "agent" }] }' })
    .replace('"agent"', '"helper"')
    .replace('"a-marked-token"', 'pulumi.secret("a-marked-token")');

beforeAll(async () => {
  stack = await world.stack({ project: "life" });
});

describe("a wrong program or setting", () => {
  /** What the resource's row says, without the words that every failure begins with. */
  const problemsOf = (run: CommandResult) =>
    messagesOf(run, "agent")
      .map((line) => line.replace(/^.*resource 'agent':? /, ""))
      .sort();

  test("is reported completely by one preview, with a correction of each value and without secrets", async () => {
    const more = {
      secrets: { NESTED: { deep: "a-hidden-value" }, PULUMI_RESOURCE: "another-hidden-value" },
      secret: { MISSPELT: "a-third-hidden-value" },
      sourceRevisionConfig: { imageUri: 5 },
      waitFor: "a-fourth-hidden-value",
    };
    await stack.program.write(
      agentSource({
        sourceConfig: { resource_spec: {}, resourceSpec: { memoryMb: 100, cpu: 0, minScale: "two" } },
        more,
      }).replace('"a-fourth-hidden-value"', 'pulumi.secret("a-fourth-hidden-value")'),
    );
    await stack.runOrThrow("config", "set", "agentgraph:apiKey", API_KEY);
    const run = await fails(stack.preview());
    expect(steps(run)).toEqual([]);
    expect(problemsOf(run)).toEqual([
      'has a problem: secret is not a known field; did you mean "secrets"?',
      "has a problem: secrets.NESTED must be a string, not an object.",
      "has a problem: secrets.PULUMI_RESOURCE is reserved for the ownership marker; use another name.",
      "has a problem: sourceConfig.resourceSpec.cpu must be at least 0.1, not 0.",
      "has a problem: sourceConfig.resourceSpec.memoryMb must be a multiple of 128, not 100.",
      "has a problem: sourceConfig.resourceSpec.minScale must be a number, not a string.",
      'has a problem: sourceConfig.resource_spec is not a known field; did you mean "resourceSpec"?',
      "has a problem: sourceRevisionConfig.imageUri must be a string, not a number.",
      'has a problem: waitFor must be one of "deployed", "healthy", "none".',
    ]);
    expect(run.output + JSON.stringify(run.events)).not.toContain("hidden-value");
    expect(run.output).toContain("agentgraph:apiKey is stored in the stack configuration as plain text.");
    expect(run.output).not.toContain(API_KEY);
  });
});

test("the first up creates the deployment and ends when it is live", async () => {
  await stack.runOrThrow("config", "set", "--secret", "agentgraph:apiKey", API_KEY);
  await stack.program.write(agentSource({ secrets }));
  const run = await succeeds(stack.up());
  expect(steps(run)).toEqual(["create agent"]);
  expect(run.output).not.toContain("plain text");

  const [created, ...others] = await world.deployments();
  expect(others).toEqual([]);
  id = created?.id ?? "";
  expect(await world.getDeployment(id)).toMatchObject({
    name: "agent",
    status: "READY",
    revisions: [{ status: "DEPLOYED" }],
  });
  expect(run.output).toContain(`id              : "${id}"`);
  expect(run.output).toContain(`url             : "${world.url}/agents/${id}"`);
  expect(run.output).toContain(`activeRevisionId: "${created?.active_revision_id}"`);
});

test("a second up of the resource, renamed with an alias, changes nothing and sends no request", async () => {
  await world.requests();
  await stack.program.write(renamedSource({ secrets }));
  const run = await succeeds(stack.up("--expect-no-changes"));
  expect(steps(run)).toEqual([]);
  expect(await world.requests()).toEqual([]);
  const resources = await stack.resources();
  expect([...resources]).toMatchObject([["helper", { id }]]);
  // They would name the file of the class, in each resource.
  for (const key of ["sourcePosition", "stackTrace"]) expect(resources.get("helper")).not.toHaveProperty(key);
});

test("a preview sends no request, and shows values of variables, but only names of secrets", async () => {
  const changed = { ...declared, secrets: { ...declared.secrets, MODEL_KEY: "a-second-model-key" } };
  await stack.program.write(renamedSource(changed));
  const run = await succeeds(stack.preview("--diff"));
  expect(changedProperties(run)).toEqual([
    ...["environment", "secrets.MODEL_KEY", "secrets.__token", "sourceRevisionConfig.imageUri"],
  ]);
  expect(run.output).toContain("~ MODEL_KEY: [secret] => [secret]");
  expect(run.output).toContain(`imageUri: "${IMAGE}" => "${declared.image}"`);
  expect(run.output).toMatch(/LOG_LEVEL\s*: "debug"/);
  expect(run.output).not.toMatch(/model-key|OTHER_KEY|marked-token/);
  for (const hidden of ["__urn", "__provider", "__organization"]) expect(run.output).not.toContain(hidden);
  expect(messagesOf(run, "helper")).toEqual([
    "new revision: secrets.MODEL_KEY, secrets.__token, imageUri 1.0.0 -> 2.0.0, environment.LOG_LEVEL, " +
      "environment.TOKEN",
  ]);
  expect(await world.requests()).toEqual([]);
});

test("a changed image creates exactly one revision", async () => {
  await stack.program.write(renamedSource(declared));
  const run = await succeeds(stack.up());
  expect(steps(run)).toEqual(["update helper"]);
  const stored = JSON.stringify(await stack.state());
  expect(stored).toContain('"LOG_LEVEL":"debug"');
  expect(stored).not.toMatch(/marked-token|model-key/);
  expect(world.writes()).toEqual([`PATCH /v2/deployments/${id}`]);
  const [newest, oldest, ...others] = (await world.getDeployment(id))?.revisions ?? [];
  expect(others).toEqual([]);
  expect(newest).toMatchObject({ status: "DEPLOYED", source_revision_config: { image_uri: declared.image } });
  expect(oldest).toMatchObject({ status: "DEPLOYED" });
  const remoteSecrets = (await world.deployments())[0]?.secrets.filter(({ name }) => name !== "PULUMI_RESOURCE") ?? [];
  expect(Object.fromEntries(remoteSecrets.map(({ name, value }) => [name, value]))).toEqual({
    ...declared.secrets,
    ...environment,
  });
  expect(run.output).toContain(`=> "${newest?.id}"`);
});

test("a changed name replaces the deployment, and its row states what is lost", async () => {
  await stack.program.write(renamedSource({ ...declared, name: "renamed" }));
  await world.requests();
  const run = await succeeds(stack.up());
  expect(steps(run)).toEqual(["delete-replaced helper", "replace helper", "create-replacement helper"]);
  expect(changedProperties(run)).toEqual(["name"]);
  const row = "REPLACED, its database and threads are lost: name agent -> renamed; keepConversations would move them";
  expect(messagesOf(run, "helper")).toContain(row);
  expect(run.output).toContain(`warning: ${row}`);

  expect(world.writes()).toEqual([`DELETE /v2/deployments/${id}`, "POST /v2/deployments"]);
  const [one, ...others] = await world.deployments();
  expect(others).toEqual([]);
  expect(one).toMatchObject({ status: "READY", active_revision_id: one?.latest_revision_id });
  expect(one?.id).not.toBe(id);
  id = one?.id ?? "";
  expect((await stack.resources()).get("helper")).toMatchObject({ id });
});

test("an up that refreshes creates a deployment again that was deleted out of band", async () => {
  await world.deleteOutOfBand(id);
  const run = await succeeds(stack.up("--refresh"));
  expect(steps(run)).toContain("create helper");
  expect(await world.deployments()).toMatchObject([{ name: "renamed", status: "READY" }]);
});

test("a destroy waits until the deployment is deleted", async () => {
  await world.requests();
  const run = await succeeds(stack.destroy());
  expect(steps(run)).toEqual(["delete helper"]);
  expect(await world.deployments()).toEqual([]);
  expect(world.writes()).toHaveLength(1);
});
