import { createDeployment, startDeployment } from "../../../support/deployments/create";
/** A server that uses other words than the setting `vocabulary`: each failure shows how to set them. */
import { createAgentFolder, internalSource } from "../../../support/deployments/source-folder";
import { failureOf } from "../../../support/errors";

const vendor = { githost: "github", agentgraph: "langgraph" };
const neutral = { githost: "githost", agentgraph: "agentgraph" };
const command = (words: object) => `pulumi config set agentgraph:vocabulary '${JSON.stringify(words)}'`;

const ofRepository = {
  ...{ name: "agent", source: "githost", waitFor: "none" },
  sourceConfig: { repoUrl: "https://git.example.com/team/agent" },
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" },
};

it.each([
  ["the platform", vendor, neutral],
  ["the documentation", neutral, vendor],
])(
  "Deployment: a server that knows only the words of %s rejects others with the command that sets them",
  async (...row) => {
    const [, spoken, configured] = row;
    const { stack } = await startDeployment({
      server: { vocabulary: spoken },
      stack: { config: { vocabulary: JSON.stringify(configured) } },
    });
    const { message } = await failureOf(stack.up(ofRepository));
    expect(message).toContain("422: source: Input should be");
    expect(message).toContain(`This server uses other words. Run \`${command(spoken)}\``);
  },
);

it("Deployment: a server that drops the path under its neutral name is reported, and so is its failed build", async () => {
  const { stack } = await startDeployment({ server: { vocabulary: vendor, strict: false } });
  const failure = await failureOf(stack.up(internalSource({ sourcePath: createAgentFolder() })));
  expect(failure.message).toContain(`The server uses other words. Run \`${command(vendor)}\``);
  expect(stack.messages.filter((text) => text.startsWith("warn:"))).toEqual([
    expect.stringContaining(
      "The server did not return agentgraph_config_path, which was sent, and may know it under another name. " +
        `If it does: Run \`${command(vendor)}\``,
    ),
  ]);
});

it("Deployment: a server that returns the path is not suspected of other words", async () => {
  const { stack } = await createDeployment(internalSource({ sourcePath: createAgentFolder() }), {
    server: { vocabulary: vendor, strict: false },
    stack: { config: { vocabulary: JSON.stringify(vendor) } },
  });
  expect(stack.messages.filter((text) => text.startsWith("warn:"))).toEqual([]);
});
