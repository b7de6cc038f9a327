/** The settings of the native plugin with the real engine: what is wrong is shown on the provider's row. */
import { World } from "./support/world";

const world = new World();

const SOURCE = `
  const pulumi = require("@pulumi/pulumi");
  new pulumi.CustomResource("agentgraph:index:Deployment", "agent", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  });`;

test("valid settings pass without a warning, and an unknown key fails the preview with the closest setting", async () => {
  const stack = await world.stack({ project: "plugin-settings", env: { AGENTGRAPH_OWNER_ID: "acme" } });
  await stack.program.usePlugin();
  await stack.program.file("index.js", SOURCE);
  await stack.runOrThrow("config", "set", "--secret", "agentgraph:apiKey", "an-api-key");
  const valid = await stack.preview();
  expect(valid.code).toBe(0);
  expect(valid.output).not.toContain("warning");

  await stack.runOrThrow("config", "set", "agentgraph:tenantID", "x");
  const unknown = await stack.preview();
  expect(unknown.code).not.toBe(0);
  expect(unknown.output).toContain("Did you mean agentgraph:tenantId?");
});
