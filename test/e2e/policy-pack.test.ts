/** examples/policy-pack: rules for production, for resources of the dynamic and of the native provider. */
import type { ResourceValidation, ResourceValidationArgs } from "@pulumi/policy";
import { digestPinnedImages, minimumScale } from "../../examples/policy-pack/production";
import { protectedDeployments } from "../../examples/policy-pack/protection";
import { copyPolicyPack } from "./support/policy-pack";
import { Program } from "./support/program";
import { World } from "./support/world";

const world = new World();

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;
const violating = {
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1, labels: { modelApiKey: "a-model-key" } } },
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
};
const compliant = {
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 2 } },
  sourceRevisionConfig: { imageUri: `registry.example.com/agent@${DIGEST}` },
  secrets: { MODEL_API_KEY: "a-model-key" },
};

/** Declares one deployment with each provider, and previews the production stack with the policy pack. */
async function preview(name: string, args: object, options: object, config: object) {
  const program = await Program.create(await world.createFolder(name), "policies");
  await program.usePlugin();
  await program.write(`const native = require("pulumi-agentgraph/native");
new agentgraph.Deployment("dynamic", ${JSON.stringify(args)}, ${JSON.stringify(options)});
new native.Deployment("native", ${JSON.stringify(args)}, ${JSON.stringify(options)});`);
  const { pack, PATH } = await copyPolicyPack("policy-pack", await world.createFolder(`pack-${name}`));
  const env = { PATH, PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const stack = await world.stack({ project: "policies", stack: "production", backend: name, program, env });
  await program.file("policies.json", JSON.stringify(config));
  return stack.preview("--policy-pack", pack, "--policy-pack-config", "policies.json");
}

const occurrences = (text: string, part: string) => text.split(part).length - 1;

test("production rejects tags, a single replica and credentials in labels, and warns about a deployment that is not protected", async () => {
  const { code, output } = await preview(
    "violating",
    violating,
    {},
    { "minimum-scale": { stacks: ["production"], minScale: 3 } },
  );
  expect(code).not.toBe(0);
  for (const line of [
    "[mandatory]  digest-pinned-images",
    "Add the digest to imageUri registry.example.com/agent:1.0.0, as in image@sha256:<digest>.",
    "[mandatory]  minimum-scale",
    "Set sourceConfig.resourceSpec.minScale to 3 or more; it is 1.",
    "[mandatory]  no-plain-text-secrets",
    "sourceConfig.resourceSpec.labels.modelApiKey looks like a credential. Move it to `secrets`.",
    "[advisory]  protected-deployments",
    "Add the resource option `protect: true`.",
  ]) {
    expect([line, occurrences(output, line)]).toEqual([line, 2]);
  }
});

test("production accepts a deployment that follows the rules", async () => {
  const { code, output } = await preview("compliant", compliant, { protect: true }, {});
  expect([code, output]).toEqual([0, expect.stringMatching(/✅ agents@v1\.0\.0/)]);
});

test("the policies of production ignore the deployments of other stacks, and the configuration defines which those are", () => {
  const violations: string[] = [];
  for (const stacks of [["production"], ["staging"]]) {
    const args = {
      ...{
        type: "agentgraph:index:Deployment",
        urn: "urn:pulumi:staging::p::agentgraph:index:Deployment::a",
        name: "a",
      },
      ...{ props: violating, opts: { protect: false }, getConfig: () => ({ stacks, minScale: 3 }) },
    } as unknown as ResourceValidationArgs;
    for (const { validateResource } of [digestPinnedImages, minimumScale, protectedDeployments]) {
      (validateResource as ResourceValidation)(args, (message) => violations.push(message));
    }
  }
  expect(violations).toEqual([
    expect.stringContaining("digest"),
    "Set sourceConfig.resourceSpec.minScale to 3 or more; it is 1.",
    expect.stringContaining("protect"),
  ]);
});
