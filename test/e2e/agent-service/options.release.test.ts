/** Resource options of a service, and failures of one of several, in programs whose services the plugin creates. */
import { describeWithTools } from "../../support/tools";
import type { CliStack } from "../support/cli/cli-stack";
import { messagesOf, steps } from "../support/cli/events";
import { installPythonSdk, pathWith } from "../support/programs/languages";
import { API_KEY } from "../support/world";
import { ServiceWorld } from "./service-world";

const world = new ServiceWorld();
const TOOLS = ["python", "pulumi-language-python", "pulumi-language-yaml"] as const;

const HEAD = `import pulumi
import pulumi_agentgraph as agentgraph

def image(tag="1.0.0"):
    revision = {"image_uri": "registry.example.com/agent:" + tag}
    return {"source": "external_docker", "source_revision_config": revision}

assistants = {"one": {"graph_id": "agent", "context": {"model": "large-2"}}}
`;

import { fails, succeeds } from "../support/cli/cli";

describeWithTools("A service of the plugin", TOOLS, (tools) => {
  let env: Record<string, string>;

  beforeAll(async () => {
    const site = await installPythonSdk(tools.python, await world.createFolder("python-sdk"));
    env = { ...pathWith(...TOOLS.map((name) => tools[name])), PYTHONPATH: site };
  });

  afterEach(() => world.emulator.reset());

  async function writePython(stack: CliStack, source: string): Promise<void> {
    await stack.program.file("Pulumi.yaml", "name: agent-service\nruntime: python\n");
    await stack.program.file("__main__.py", HEAD + source);
    await stack.program.usePlugin();
  }

  async function pythonStack(name: string, source: string): Promise<CliStack> {
    const stack = await world.serviceStack(name, env);
    await writePython(stack, source);
    return stack;
  }

  test("previews an unknown context, passes its provider on, waits for dependencies, and is protected", async () => {
    const stack = await pythonStack(
      "inherited",
      `first = agentgraph.Deployment("first", **image())
context = {"model": "large-2", "tools": [{"url": first.url}]}
team = agentgraph.Provider("team", control_plane_url="${world.url}", api_key="${API_KEY}")
support = agentgraph.AgentService(
    "support", deployment=image(), assistants={"one": {"graph_id": "agent", "context": context}}, thread={},
    opts=pulumi.ResourceOptions(providers=[team], depends_on=[first], protect=True),
)
`,
    );
    const preview = await succeeds(stack.preview());
    const shown = preview.events.find(({ resourcePreEvent }) => isStep(resourcePreEvent, "support-one"));
    expect(shown?.resourcePreEvent?.metadata.new?.inputs).toMatchObject({
      ...{ graphId: "agent", context: { model: "large-2", tools: [{ url: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }] } },
    });
    const created = await succeeds(stack.up());
    const firstIsDone = created.events.findIndex(({ resOutputsEvent }) => isStep(resOutputsEvent, "first"));
    const children = created.events.findIndex(
      ({ resourcePreEvent: event }) => isStep(event, "support") && event?.metadata.type !== SERVICE,
    );
    expect(firstIsDone).toBeGreaterThan(0);
    expect(children).toBeGreaterThan(firstIsDone);
    const { resources = [] } = (await stack.state()).deployment;
    const inside = resources.filter(({ urn, type }) => urn.includes("AgentService$") && type !== SERVICE);
    expect(inside).toHaveLength(3);
    for (const resource of inside)
      expect(resource).toMatchObject({ protect: true, provider: expect.stringContaining("::team::") });

    await world.requests();
    expect((await fails(stack.destroy())).output).toContain("protect");
    expect(world.writes()).toEqual([]);
  });

  test("is renamed with an alias, and transforms of the program reach its resources", async () => {
    const source = (name: string, options: string) => `
def transform(args):
    if args.type_.endswith(":Assistant"):
        return pulumi.ResourceTransformResult({**args.props, "metadata": {"team": "support"}}, args.opts)

pulumi.runtime.register_resource_transform(transform)
agentgraph.AgentService("${name}", deployment=image(), assistants=assistants, thread={}, opts=${options})
`;
    const stack = await pythonStack("renamed", source("support", "None"));
    expect(await stack.up()).toMatchObject({ code: 0 });
    const { inputs } = (await stack.resources()).get("support-one") ?? {};
    expect(inputs?.metadata).toEqual({ team: "support" });

    const alias = 'pulumi.ResourceOptions(aliases=[pulumi.Alias(name="support")])';
    await writePython(stack, source("helpdesk", alias));
    await world.requests();
    const renamed = await succeeds(stack.up());
    expect([...steps(renamed), ...world.writes()]).toEqual([]);
    expect([...(await stack.resources()).keys()].sort()).toEqual(["helpdesk", "helpdesk-one", "helpdesk-thread"]);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });

  test("limits the rollout of its deployment, and the next up completes it", async () => {
    const stack = await world.serviceStack("limited", env);
    await stack.program.file(
      "Pulumi.yaml",
      `name: agent-service
runtime: yaml
resources:
  support:
    type: agentgraph:AgentService
    properties:
      deployment: { source: external_docker, sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" } }
      assistants: { one: { graphId: agent } }
    options: { customTimeouts: { create: 1s } }
`,
    );
    await stack.program.usePlugin();
    await world.emulator.faults.add({ hold: { status: "DEPLOYING" } });
    const held = await fails(stack.up());
    expect(messagesOf(held, "support").join()).toContain("customTimeouts");
    await world.emulator.faults.clear();
    const resumed = await succeeds(stack.up());
    expect(steps(resumed)).toEqual(["update support", "create support-one"]);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });

  test("stops the run if its arguments are wrong, and is complete although another rollout fails", async () => {
    const source = (thread: string) => `
for name in ["support", "sales"]:
    agentgraph.AgentService(name, deployment=image(), assistants=assistants, thread={})
bad = agentgraph.AgentService("bad", deployment=image(), assistants=assistants, thread=${thread})
pulumi.export("url", bad.url)
`;
    const stack = await pythonStack("failing", source('{"metdata": {}}'));
    expect((await fails(stack.up())).output).toContain('did you mean "metadata"?');

    await writePython(stack, source("{}"));
    await world.emulator.faults.add({ revision: { deployment: "bad", ends: "DEPLOY_FAILED" } });
    const failed = await fails(stack.up("--continue-on-error"));
    expect(failed.output).toContain("DEPLOY_FAILED");
    // The engine may interrupt a Python program at the end of a run that failed, which then prints a traceback.
    expect(failed.output).not.toMatch(/failed to register|error serializing/);
    const complete = ["support", "sales"].flatMap((name) => [name, `${name}-one`, `${name}-thread`]);
    expect([...(await stack.resources()).keys()].sort()).toEqual(["bad", ...complete].sort());

    const repaired = await succeeds(stack.up());
    expect(steps(repaired).sort()).toEqual(["create bad-one", "create bad-thread", "update bad"]);
    expect((await world.deployments()).map(({ name }) => name).sort()).toEqual(["bad", "sales", "support"]);
    await world.destroyCompletely(stack);
  });

  test("gets no new resource while another one is the target, and does not stop that run", async () => {
    const source = (more: string) => `
agentgraph.AgentService("support", deployment=image(), assistants={**assistants, ${more}})
agentgraph.Deployment("other", **image("${more ? 2 : 1}.0.0"))
`;
    const stack = await pythonStack("targets", source(""));
    expect(await stack.up()).toMatchObject({ code: 0 });
    await writePython(stack, source('"two": {"graph_id": "agent"}'));
    const targeted = await succeeds(stack.up("--target", stack.urn("other", "agentgraph:index:Deployment")));
    expect(steps(targeted)).toEqual(["update other"]);
    const all = await succeeds(stack.up());
    expect(steps(all)).toEqual(["create support-two"]);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });
});

const SERVICE = "agentgraph:index:AgentService";

const isStep = (event: { metadata: { urn: string } } | undefined, name: string) =>
  event?.metadata.urn.endsWith(`::${name}`) ?? false;
