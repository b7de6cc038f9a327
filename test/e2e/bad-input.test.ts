/** What a preview says about a wrong program: the place, what to write instead, and never a secret's value. */
import type { CommandResult } from "./support/cli";
import type { CliStack } from "./support/cli-stack";
import { messagesOf, steps } from "./support/events";
import { agentSource } from "./support/program";
import { API_KEY, World } from "./support/world";

const world = new World();
let stack: CliStack;

beforeAll(async () => {
  stack = await world.stack({ project: "bad-input" });
});

/** What the resource's row says, without the words that every failure begins with. */
const problemsOf = (run: CommandResult) =>
  messagesOf(run, "agent")
    .map((line) => line.replace(/^.*resource 'agent':? /, ""))
    .sort();

test("one preview reports every invalid value with its path and a correction", async () => {
  await stack.program.write(
    agentSource({
      sourceConfig: {
        resource_spec: {},
        listenerConfig: {},
        resourceSpec: { memoryMb: 100, cpu: 0, minScale: "two" },
      },
      secrets: { SHARED: "a-hidden-value" },
      secretReferences: { SHARED: { secretName: "kept", secretKey: "key" } },
      more: { name: "", sourceRevisionConfig: { imageUri: 5 }, image: "registry.example.com/agent:1" },
    }),
  );
  const run = await stack.preview();
  expect(run.code).not.toBe(0);
  expect(steps(run)).toEqual([]);
  expect(problemsOf(run)).toEqual([
    expect.stringContaining("has a problem: image is not a known field; expected one of name, source, "),
    "has a problem: name must not be empty.",
    "has a problem: sourceConfig.listenerConfig requires sourceConfig.listenerId, the listener that it configures.",
    "has a problem: sourceConfig.resourceSpec.cpu must be at least 0.1, not 0.",
    "has a problem: sourceConfig.resourceSpec.memoryMb must be a multiple of 128, not 100.",
    "has a problem: sourceConfig.resourceSpec.minScale must be a number, not a string.",
    'has a problem: sourceConfig.resource_spec is not a known field; did you mean "resourceSpec"?',
    "has a problem: sourceRevisionConfig.imageUri must be a string, not a number.",
    "secretReferences.SHARED: is also in secrets; declare SHARED in only one of the two.",
  ]);
  expect(run.output).not.toContain("a-hidden-value");
});

test("an error about a secret names the key and never shows its value, even if the field is misspelled or no secret by itself", async () => {
  await stack.program.write(
    agentSource({
      more: {
        secrets: { NESTED: { deep: "a-hidden-value" }, PULUMI_RESOURCE: "another-hidden-value" },
        secret: { MISSPELT: "a-third-hidden-value" },
        waitFor: "a-fourth-hidden-value",
      },
    }).replace('"a-fourth-hidden-value"', 'require("@pulumi/pulumi").secret("a-fourth-hidden-value")'),
  );
  const run = await stack.preview();
  expect(run.code).not.toBe(0);
  expect(problemsOf(run)).toEqual([
    'has a problem: secret is not a known field; did you mean "secrets"?',
    "has a problem: secrets.NESTED must be a string, not an object.",
    "has a problem: secrets.PULUMI_RESOURCE is reserved for the ownership marker; use another name.",
    'has a problem: waitFor must be one of "deployed", "healthy", "none".',
  ]);
  expect(run.output + JSON.stringify(run.events)).not.toContain("hidden-value");
});

test("a value that a newer server may accept is a warning on the resource's row", async () => {
  const resourceSpec = { cpu: 9, minScale: 3, maxScale: 1 };
  await stack.program.write(
    agentSource({ name: "Upper_Case", image: "registry.example.com/agent", sourceConfig: { resourceSpec } }),
  );
  const run = await stack.preview();
  expect(run).toMatchObject({ code: 0 });
  expect(steps(run)).toEqual(["create agent"]);
  expect(problemsOf(run)).toEqual([
    expect.stringContaining('name: "Upper_Case" may be rejected; use lowercase letters'),
    expect.stringContaining("sourceConfig.resourceSpec.cpu: 9 is above 8 cores"),
    expect.stringContaining("sourceConfig.resourceSpec.minScale: 3 is above maxScale"),
    expect.stringContaining('sourceRevisionConfig.imageUri: "registry.example.com/agent" is a mutable reference'),
  ]);
});

test("missing settings are a warning in a preview and one error in an up", async () => {
  const bare = await world.stack({ project: "bare" });
  bare.env.AGENTGRAPH_CONTROL_PLANE_URL = "";
  bare.env.AGENTGRAPH_API_KEY = "";
  await bare.program.write(agentSource());
  const missing = [
    "Settings are missing",
    "controlPlaneUrl: run `pulumi config set agentgraph:controlPlaneUrl <url>`, or set the environment variable AGENTGRAPH_CONTROL_PLANE_URL.",
    "apiKey: run `pulumi config set --secret agentgraph:apiKey <key>`, or set the environment variable AGENTGRAPH_API_KEY.",
  ];
  const preview = await bare.preview();
  expect(preview).toMatchObject({ code: 0 });
  expect(steps(preview)).toEqual(["create agent"]);
  for (const words of missing) expect(preview.output).toContain(words);

  const up = await bare.up();
  expect(up.code).not.toBe(0);
  for (const words of missing) expect(up.output).toContain(words);
  expect(up.output).not.toMatch(/\n\s+at /);
  expect((await bare.resources()).size).toBe(0);

  const settings = [
    "--plaintext",
    `agentgraph:controlPlaneUrl=${world.url}`,
    "--secret",
    `agentgraph:apiKey=${API_KEY}`,
  ];
  await bare.runOrThrow("config", "set-all", ...settings);
  expect(await bare.up()).toMatchObject({ code: 0 });
});

test("an unknown setting fails the preview, and an API key in plain text causes a warning that does not contain the key", async () => {
  const careless = await world.stack({ project: "careless", env: { AGENTGRAPH_TENANTID: "a-tenant" } });
  await careless.program.write(agentSource());
  await careless.runOrThrow("config", "set", "agentgraph:tenantID", "a-tenant");
  const refused = await careless.preview();
  expect(refused.code).not.toBe(0);
  expect(steps(refused)).toEqual([]);
  expect(refused.output).toContain("Did you mean agentgraph:tenantId? Set that key");

  await careless.runOrThrow("config", "rm", "agentgraph:tenantID");
  await careless.runOrThrow("config", "set", "agentgraph:apiKey", API_KEY);
  const warned = await careless.preview();
  expect(warned).toMatchObject({ code: 0 });
  expect(warned.output).toContain("agentgraph:apiKey is stored in the stack configuration as plain text.");
  expect(warned.output).toContain("Did you mean AGENTGRAPH_TENANT_ID?");
  expect(warned.output).not.toContain(API_KEY);

  await careless.runOrThrow("config", "set", "--secret", "agentgraph:apiKey", API_KEY);
  expect((await careless.preview()).output).not.toContain("plain text");
});
