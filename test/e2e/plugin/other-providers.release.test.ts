/**
 * Examples with other providers: with their real packages, the real engine, and a second provider process beside ours.
 * That process stands in for theirs, whose plugins and clouds tests do not have.
 */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { describeWithTools } from "../../support/tools";
import { succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { messagesOf, steps } from "../support/cli/events";
import { compileExamples } from "../support/programs/compile";
import { withOtherProviders } from "../support/programs/examples";
import { completedSteps, installProviders, useStandIn } from "../support/programs/other-providers";
import { Program } from "../support/programs/program";
import { World } from "../support/world";

const world = new World();
const SECRET = "a-value-that-no-one-may-read";
const IMAGE = "registry.example.com/support-agent:1.0.0";

describeWithTools("An example with other providers", ["providers", "stand-in"], (tools) => {
  let modules: string;

  beforeAll(async () => {
    modules = await installProviders(world, tools.providers);
  });

  async function stackOf(example: string, config: Record<string, string>): Promise<CliStack> {
    const program = await Program.copy(example, await world.createFolder(`run/${example}`), modules);
    await useStandIn(program, tools["stand-in"]);
    const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    const stack = await world.stack({ project: `agentgraph-${example}`, program, backend: `state-${example}`, env });
    const pairs = Object.entries(config).flatMap(([key, value]) => [
      value === SECRET ? "--secret" : "--plaintext",
      `${key}=${value}`,
    ]);
    await stack.runOrThrow("config", "set-all", ...pairs);
    return stack;
  }

  /** Returns a value of an output that is a secret. */
  const secretOutput = async (stack: CliStack, name: string) =>
    (await stack.runOrThrow("stack", "output", "--show-secrets", name)).trim();

  test("passes the type check with the packages of these providers", async () => {
    expect(withOtherProviders).toEqual(["aws-export", "docker-build", "generated-key", "kubernetes"]);
    expect(await compileExamples(world, withOtherProviders, modules)).toBe("");
  });

  test("passes a generated key as a secret, and replaces it on request: nobody sees either value", async () => {
    const stack = await stackOf("generated-key", { image: IMAGE });
    const created = await succeeds(stack.up());
    const first = await secretOutput(stack, "webhookKey");
    const secretsOf = async () => (await world.deployments())[0]?.secrets;
    expect(await secretsOf()).toContainEqual({ name: "WEBHOOK_KEY", value: first });
    expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });

    await stack.runOrThrow("config", "set", "keyVersion", "2");
    const preview = await stack.preview("--diff");
    expect(steps(preview)).toEqual(["update support-agent"]);
    expect(messagesOf(preview, "support-agent")).toEqual(["new revision: secrets.WEBHOOK_KEY"]);
    const rotated = await stack.up();
    expect(completedSteps(rotated)).toEqual([
      "create-replacement webhook-key",
      "replace webhook-key",
      "update support-agent",
      "delete-replaced webhook-key",
    ]);
    const second = await secretOutput(stack, "webhookKey");
    expect(second).not.toBe(first);
    expect(await secretsOf()).toContainEqual({ name: "WEBHOOK_KEY", value: second });
    const runs = [created, preview, rotated, await stack.run("stack", "export")];
    const all = runs.map(({ output, events }) => output + JSON.stringify(events)).join() + (await stack.readBackend());
    for (const value of [first, second]) expect(all).not.toContain(value);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });

  test("deploys an image by its digest: changed files create one revision, and nothing else does", async () => {
    const registry = { registry: "registry.example.com", registryUser: "pipeline", registryPassword: SECRET };
    const stack = await stackOf("docker-build", registry);
    expect(await stack.up()).toMatchObject({ code: 0 });
    const [agent] = await world.deployments();
    const revisions = async () => (await world.getDeployment(agent?.id ?? ""))?.revisions ?? [];
    expect((await revisions()).map(({ source_revision_config }) => source_revision_config.image_uri)).toEqual([
      expect.stringMatching(/^registry\.example\.com\/support-agent:latest@sha256:[0-9a-f]{64}$/),
    ]);
    expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });

    await appendFile(join(stack.program.folder, "agent/graph.py"), "\n# changed\n");
    const preview = await stack.preview();
    expect(steps(preview)).toEqual(["update support-agent"]);
    expect(messagesOf(preview, "support-agent")).toEqual(["new revision: imageUri"]);
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await revisions()).toHaveLength(2);
    expect(await stack.readBackend()).not.toContain(SECRET);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });

  test("refers to objects in the cluster, and deletes the old version of a secret after the rollout", async () => {
    const login = { registryUser: "cluster", registryPassword: SECRET, modelKey: SECRET };
    const listenerId = "22222222-2222-4222-8222-222222222222";
    const stack = await stackOf("kubernetes", { ...login, listenerId, image: IMAGE });
    expect(await stack.up()).toMatchObject({ code: 0 });
    const state = async (name: string) =>
      (await stack.state()).deployment.resources?.find(({ urn }) => urn.endsWith(`::${name}`));
    const metadataOf = async (name: string) => (await state(name))?.inputs?.metadata as { name?: string } | undefined;
    const [agent] = await world.deployments();
    expect(agent?.source_config).toMatchObject({
      listener_id: listenerId,
      listener_config: { k8s_namespace: "agents" },
      resource_spec: {
        service_account_name: (await metadataOf("billing"))?.name,
        volumes: [{ name: "prompts", configMap: { name: (await metadataOf("prompts"))?.name } }],
      },
    });
    expect((await state("billing-url"))?.inputs).toMatchObject({ data: { url: `${world.url}/agents/${agent?.id}` } });
    expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });

    await stack.runOrThrow("config", "set", "--secret", "modelKey", `${SECRET}-2`);
    const preview = await stack.preview();
    expect(steps(preview)).toEqual(["update billing-agent"]);
    expect(messagesOf(preview, "billing-agent").join()).toContain("new revision");
    const rotated = await stack.up();
    expect(completedSteps(rotated)).toEqual([
      ...["create-replacement model", "replace model", "update billing-agent", "delete-replaced model"],
    ]);
    const { revisions = [] } = (await world.getDeployment(agent?.id ?? "")) ?? {};
    expect(revisions.map(({ status }) => status)).toEqual(["DEPLOYED", "DEPLOYED"]);
    expect(JSON.stringify(preview.events) + rotated.output + (await stack.readBackend())).not.toContain(SECRET);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });
});
