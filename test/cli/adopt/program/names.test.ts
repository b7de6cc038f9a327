/** Unique names of resources, variables and configuration keys, whatever the objects on the server are called. */
import { Names } from "../../../../cli/adopt/program/names";
import { typescript } from "../../../../cli/adopt/program/typescript";
import { yaml } from "../../../../cli/adopt/program/yaml";

test.each([
  ["of the same kind", "Agent/cron agent/cron", "Agent agent, agent-2 agent2"],
  ["of another kind", "agent/cron agent/thread", "agent agent, agent-thread agentThread"],
  ["of a third one", "a/cron a/thread a/thread", "a a, a-thread aThread, a-thread-2 aThread2"],
  ["with the same variable", "a-b/cron a.b/cron", "a-b aB, a.b cronAB"],
  ["with the variable of a kind", "cron-a-b/x a-b/x a.b/cron", "cron-a-b cronAB, a-b aB, a.b cronAB2"],
  ["with a reserved word", "config/cron", "config cronConfig"],
  ["with a digit", "1st/cron", "1st cron1st"],
  ["without letters", "日本/cron -.é's.-/cron", "cron cron, es es"],
])("adopt names resources, and their variables, %s", (_what, resources, expected) => {
  const names = new Names(typescript.naming);
  const named = resources.split(" ").map((resource) => {
    const [preferred = "", kind = ""] = resource.split("/");
    const { name, variable } = names.nameResource(preferred, kind);
    return `${name} ${variable}`;
  });
  expect(named.join(", ")).toBe(expected);
});

test("adopt gives each secret a configuration key of its own, in YAML none of a variable", () => {
  const keysIn = ({ naming }: Pick<typeof typescript, "naming">) => {
    const names = new Names(naming);
    names.nameResource("agent-api-key", "cron");
    return [names.nameSecret("agent", "API_KEY"), names.nameSecret("agent", "api-key")];
  };
  expect(keysIn(typescript)).toEqual(["agentApiKey", "agentApiKey2"]);
  expect(keysIn(yaml)).toEqual(["agentApiKey2", "agentApiKey3"]);
});
