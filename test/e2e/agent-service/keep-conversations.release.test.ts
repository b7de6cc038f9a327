/**
 * A service that the plugin constructs, and whose deployment gets another name: what it contains moves, and is the
 * same.
 */
import { describeWithTools } from "../../support/tools";
import { steps } from "../support/cli/events";
import { pathWith } from "../support/programs/languages";
import { ServiceWorld } from "./service-world";

const world = new ServiceWorld();

const program = (name: string) => `name: agent-service
runtime: yaml
resources:
  support:
    type: agentgraph:AgentService
    properties:
      deployment:
        name: ${name}
        source: external_docker
        sourceRevisionConfig: { imageUri: "registry.example.com/support-agent:1.0.0" }
        keepConversations: { at: conversations, allowEmpty: true }
      assistants: { concierge: { graphId: echo, context: { prefix: "Desk: " } } }
      thread:
        metadata: { graph_id: echo }
        supersteps: [{ updates: [{ asNode: echo, values: { messages: [{ role: user, content: Hello. }] } }] }]
`;

describeWithTools("A service in YAML", ["pulumi-language-yaml"], (tools) => {
  test("keeps its thread and its assistant when its deployment is renamed, and is destroyed", async () => {
    const stack = await world.serviceStack("keep", pathWith(tools["pulumi-language-yaml"]));
    const write = async (text: string) => {
      await stack.program.file("Pulumi.yaml", text);
      await stack.program.usePlugin();
    };
    await write(program("first"));
    expect(await stack.up()).toMatchObject({ code: 0 });
    const ids = async () => {
      const resources = await stack.resources();
      return ["support-concierge", "support-thread"].map((name) => resources.get(name)?.id);
    };
    const before = await ids();
    await write(program("second"));
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await ids()).toEqual(before);
    const [deployment, ...others] = await world.deployments();
    expect([deployment?.name, others]).toEqual(["second", []]);
    const state = await fetch(`${world.url}/agents/${deployment?.id}/threads/${before[1]}/state`);
    expect(await state.text()).toContain("Hello.");
    expect(steps(await stack.up())).toEqual([]);

    expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
    await write("name: agent-service\nruntime: yaml\n");
    await world.destroyCompletely(stack);
  });
});
