/** examples/policy-pack: rules for production, for resources of the dynamic and of the native provider. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ResourceValidation, ResourceValidationArgs } from "@pulumi/policy";
import { digestPinnedImages, minimumScale } from "../../../examples/policy-pack/production";
import { protectedDeployments } from "../../../examples/policy-pack/protection";
import { verifiedRollouts } from "../../../examples/policy-pack/verification";
import { ROOT } from "../support/packages/checkout";
import { Program } from "../support/programs/program";
import { World } from "../support/world";
import { copyPolicyPack } from "./policy-pack";

const world = new World();
const COMMAND = join(ROOT, "dist/cli/main.js");

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;
const violating = {
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1, labels: { modelApiKey: "a-model-key" } } },
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
  environment: { LOG_LEVEL: "debug", STORE_PASSWORD: "a-password" },
  rollbackOnFailure: false,
};
const compliant = {
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 2 } },
  sourceRevisionConfig: { imageUri: `registry.example.com/agent@${DIGEST}` },
  secrets: { MODEL_API_KEY: "a-model-key" },
  environment: { LOG_LEVEL: "debug" },
  verify: [{ ask: { assistantId: "agent" } }],
};

/** Declares one deployment with each provider, and previews the production stack with the policy pack. */
async function preview(name: string, args: object, options: object, config: object, ...flags: string[]) {
  const program = await Program.create(await world.createFolder(name), "policies");
  await program.usePlugin();
  await program.write(`const native = require("pulumi-agentgraph/native");
new agentgraph.Deployment("dynamic", ${JSON.stringify(args)}, ${JSON.stringify(options)});
new native.Deployment("native", ${JSON.stringify(args)}, ${JSON.stringify(options)});`);
  const { pack, PATH } = await copyPolicyPack("policy-pack", await world.createFolder(`pack-${name}`));
  const env = { PATH, PULUMI_NODEJS_TRANSPILE_ONLY: "true", PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
  const stack = await world.stack({ project: "policies", stack: "production", backend: name, program, env });
  await program.file("policies.json", JSON.stringify(config));
  const result = await stack.preview("--policy-pack", pack, "--policy-pack-config", "policies.json", ...flags);
  return { ...result, folder: program.folder };
}

test("production rejects tags, one replica, plain credentials and rollouts without checks", async () => {
  const config = { "minimum-scale": { stacks: ["production"], minScale: 3 } };
  const { code, output, folder } = await preview("violating", violating, {}, config, "--json");
  expect(code).not.toBe(0);
  await writeFile(join(folder, "preview.json"), output);
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, "review", "preview.json"], {
    cwd: folder,
  }).catch((failure) => failure);
  const violations = [
    /digest-pinned-images \(mandatory\): .* Add the digest to `imageUri` `registry.example.com\/agent:1.0.0`/,
    /minimum-scale \(mandatory\): .* Set `sourceConfig.resourceSpec.minScale` to 3 or more; it is 1\./,
    /no-plain-text-secrets \(mandatory\): .*`sourceConfig.resourceSpec.labels.modelApiKey` .* Move it to `secrets`/,
    /no-plain-text-secrets \(mandatory\): .*`environment.STORE_PASSWORD` .* Move it to `secrets`/,
    /verified-rollouts \(mandatory\): .* Add at least one check to verify, such as a question to the agent\./,
    /verified-rollouts \(mandatory\): .* Remove `rollbackOnFailure`: with false, a revision that .* stays live\./,
    /protected-deployments \(advisory\): .* Add the resource option `protect: true`/,
  ];
  for (const name of ["dynamic", "native"]) {
    for (const { source } of violations) {
      expect(stdout).toMatch(new RegExp(`^> - \\*\\*Deployment\\*\\* \`${name}\`: policy ${source}`, "m"));
    }
  }
});

test("production accepts a deployment that follows the rules", async () => {
  const { code, output } = await preview("compliant", compliant, { protect: true }, {});
  expect([code, output]).toEqual([0, expect.stringMatching(/✅ agents@v1\.0\.0/)]);
});

test("the policies of production ignore deployments of other stacks, which the configuration defines", () => {
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
    for (const { validateResource } of [digestPinnedImages, minimumScale, verifiedRollouts, protectedDeployments]) {
      (validateResource as ResourceValidation)(args, (message) => violations.push(message));
    }
  }
  expect(violations).toEqual([
    expect.stringContaining("digest"),
    "Set sourceConfig.resourceSpec.minScale to 3 or more; it is 1.",
    "Add at least one check to verify, such as a question to the agent.",
    "Remove rollbackOnFailure: with false, a revision that fails its checks stays live.",
    expect.stringContaining("protect"),
  ]);
});
