/** Texts of servers that use other words than the setting `vocabulary`. */
import { neutralAdvice, vocabularyIn } from "../../../provider/text/vocabulary";

const neutral = { githost: "githost", agentgraph: "agentgraph" };
const vendor = { githost: "github", agentgraph: "langgraph" };
const own = { githost: "gitplace", agentgraph: "vendorgraph" };
const permitted = "Extra inputs are not permitted";

it.each([
  ["source: Input should be 'github', 'external_docker' or 'internal_docker'", neutral, vendor],
  ['source: must be one of "github", "external_docker"', neutral, vendor],
  ["source: Input should be 'githost', 'external_docker'", vendor, neutral],
  [`sourceRevisionConfig.agentgraphConfigPath: ${permitted}`, neutral, vendor],
  [`source_revision_config.agentgraph_config_path: ${permitted}`, neutral, vendor],
  [`sourceRevisionConfig.langgraphConfigPath: ${permitted}`, vendor, neutral],
  ["sourceRevisionConfig.langgraphConfigPath: Field required", neutral, vendor],
  ["Nothing to build: source_revision_config.langgraph_config_path is not set", neutral, vendor],
  [`sourceRevisionConfig.vendorgraphConfigPath: unknown field`, own, vendor],
  ["source: Input should be 'github', 'external_docker'", vendor, undefined],
  ["source: Input should be 'githost', 'github'", neutral, undefined],
  ["sourceConfig.repoUrl: 'github' is not a host", neutral, undefined],
  ["name: must be one of 'github', 'x'", neutral, undefined],
  ["sourceRevisionConfig.agentgraphConfigPath: agentgraph.json was not found", neutral, undefined],
  [`sourceRevisionConfig.imageUri: ${permitted}`, neutral, undefined],
  ["", neutral, undefined],
])("the words of the server in %j, where %j is set, are %j", (text, configured, expected) => {
  expect(vocabularyIn(text, configured)).toEqual(expected);
});

const SET =
  `Run \`pulumi config set agentgraph:vocabulary '{"githost":"github","agentgraph":"langgraph"}'\`, or set the ` +
  "environment variable AGENTGRAPH_VOCABULARY to this JSON.";
it.each([
  ["github", ["githost", "internal_docker"], neutral, SET],
  ["langgraphConfigPath", ["agentgraphConfigPath"], neutral, SET],
  ["langgraph_config_path", ["agentgraphConfigPath"], neutral, SET],
  ["agentgraph_config_path", ["agentgraphConfigPath"], neutral, "The setting vocabulary maps it."],
  ["github", ["githost"], vendor, "The setting vocabulary maps it."],
  ["gitplace", ["githost"], own, "The setting vocabulary maps it."],
])("the word %j in a program, where %j is expected, is explained", (word, expected, configured, remedy) => {
  expect(neutralAdvice(word, expected, configured)).toBe(
    `write "${expected[0]}", whatever the platform calls it. ${remedy}`,
  );
});

it.each(["gitlab", "docker", "langgraph", "imageUri"])(
  "the word %j in a program is not a word of a known platform",
  (word) => {
    expect(neutralAdvice(word, ["githost", "agentgraphConfigPath"], neutral)).toBeUndefined();
  },
);
