/**
 * A renamed stack keeps the objects of agent servers, although the real engine passes only the new name to a provider.
 */
import { agentSource } from "./support/program";
import { API_KEY, World } from "./support/world";

const world = new World({ strict: true, speed: "instant", apiKey: API_KEY });

/** Returns the source text of a program. @param team What the update changes. */
const program = (entry: string, team: string) => `const agentgraph = require("${entry}");
  ${agentSource()}
  const deploymentId = agent.id;
  new agentgraph.Thread("session", { deploymentId, metadata: { team: "${team}" } });
  const writer = new agentgraph.Assistant("writer", { deploymentId, graphId: "echo", context: { prefix: "${team}" } });
  new agentgraph.Cron("nightly", { deploymentId, assistantId: writer.id, schedule: "0 3 * * *", input: {},
    metadata: { team: "${team}" } });`;

test.each([
  ["dynamic resources", "pulumi-agentgraph"],
  ["the native provider", "pulumi-agentgraph/native"],
])("a renamed stack updates and destroys all objects of %s", async (name, entry) => {
  const project = name.replaceAll(" ", "-");
  const stack = await world.stack({ project, backend: project });
  if (entry.endsWith("native")) await stack.program.usePlugin();
  await stack.program.file("index.js", program(entry, "support"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  await stack.runOrThrow("stack", "rename", "live");
  Object.assign(stack.location, { stack: "live" });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });

  await stack.program.file("index.js", program(entry, "sales"));
  const OBJECTS = ["threads", "assistants", "crons"];
  const changed = (method: string) => {
    const paths = world.writes().filter((request) => request.startsWith(method));
    return OBJECTS.filter((object) => paths.some((path) => path.includes(`/${object}/`)));
  };
  await world.requests();
  expect(await stack.up("--refresh")).toMatchObject({ code: 0 });
  expect(changed("PATCH")).toEqual(OBJECTS);
  const destroy = await stack.destroy();
  expect(destroy).toMatchObject({ code: 0 });
  expect(destroy.output).not.toContain("was not deleted");
  expect(changed("DELETE")).toEqual(OBJECTS);
  expect(await world.deployments()).toEqual([]);
});
