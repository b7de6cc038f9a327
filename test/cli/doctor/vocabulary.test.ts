/** `agentgraph doctor` for a server that uses other words than the setting `vocabulary`. */
import { checkServers } from "../../../cli/doctor/service";
import type { CommandContext } from "../../../cli/shared/subcommand";
import type { EmulatorOptions } from "../../../emulator/src";
import { read } from "../../provider/settings/support/settings";
import { startPlatform } from "../../support/platform";

const vendor = { githost: "github", agentgraph: "langgraph" };
const neutral = { githost: "githost", agentgraph: "agentgraph" };
const own = { githost: "gitplace", agentgraph: "vendorgraph" };

const image = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
const ofRepository = {
  name: "cloned",
  source: "githost",
  source_config: { repo_url: "https://git.example.com/team/agent" },
  source_revision_config: { agentgraph_config_path: "agentgraph.json" },
};

/** Returns the checks of the control plane. */
async function check(configured: object, options: EmulatorOptions, deployments: object[] = []) {
  const platform = await startPlatform(options);
  await platform.emulator.seed({ deployments: deployments as never });
  const settings = read({ apiKey: "k", controlPlaneUrl: platform.url, vocabulary: JSON.stringify(configured) });
  const [group] = await checkServers(settings, { now: platform.clock.now } as CommandContext);
  return group?.checks ?? [];
}

const differs = (spoken: object) =>
  expect.objectContaining({
    ...{ id: "vocabulary", status: "fix" },
    remedy: expect.stringContaining(`pulumi config set agentgraph:vocabulary '${JSON.stringify(spoken)}'`),
  });

test.each([
  ["an empty server with the words of a platform", vendor, neutral, []],
  ["a server with a deployment, and words of a platform", vendor, neutral, [{ name: "agent", ...image }]],
  ["a server with the neutral words", neutral, vendor, []],
  ["a server with words that nobody knows, and a deployment of a repository", own, neutral, [ofRepository]],
])("doctor shows how to set the vocabulary of %s", async (_what, spoken, configured, deployments) => {
  const checks = await check(configured, { vocabulary: spoken }, deployments);
  expect(checks).toContainEqual(differs(spoken));
  expect(checks.filter(({ id }) => id === "missing-route")).toEqual([]);
  expect(checks).toContainEqual(
    expect.objectContaining({ id: "routes", message: expect.stringMatching(/^profile: supports all/) }),
  );
});

test("doctor recognizes the words of a server without integrations by its deployments", async () => {
  const checks = await check(neutral, { vocabulary: vendor, interfaceOnly: true }, [ofRepository]);
  expect(checks).toContainEqual(differs(vendor));
});

test.each([
  ["the neutral words", neutral, {}],
  ["the words of a platform", vendor, {}],
  ["no route for integrations", neutral, { interfaceOnly: true }],
])("doctor says nothing of the vocabulary of a server with %s that fit the setting", async (_what, words, options) => {
  const checks = await check(words, { vocabulary: words, ...options }, [ofRepository, { name: "agent", ...image }]);
  expect(checks.filter(({ id }) => id === "vocabulary")).toEqual([]);
  expect(checks.filter(({ status }) => status === "fix")).toEqual([]);
});
