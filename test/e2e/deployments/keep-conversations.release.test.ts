/** Deployments with `keepConversations` that the real engine replaces: what runs behind them are published servers. */
import { pathToFileURL } from "node:url";
import { createConversation, RECORDED } from "../../../scripts/record/conversation-inputs";
import { type PublishedServer, type ServerKind, startPublished } from "../../support/agent-servers/published";
import { succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { steps } from "../support/cli/events";
import { World } from "../support/world";

const world = new World();
const FINISHED = 60;
const WAITING = 10;

/** Source text: an agent whose server is that of the URL, and what is declared on it. */
const program = (module: string, name: string, customUrl: string, at: string) => `
  const agentgraph = require("${module}");
  const agent = new agentgraph.Deployment("agent", {
    name: "${name}",
    source: "external_docker",
    sourceConfig: { customUrl: "${customUrl}" },
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
    keepConversations: { at: "${at}", waiting: "askAgain", busy: "1m" },
  });
  const on = { deploymentId: agent.id };
  new agentgraph.Thread("pinned", { ...on, metadata: { graph_id: "ask" } });
  new agentgraph.Assistant("formal", { ...on, graphId: "ask", name: "Formal" });`;

const post = async <T>(server: PublishedServer, path: string, body: object) =>
  (await server.call("POST", path, body)).body as T;

const count = (server: PublishedServer, status?: string) =>
  post<number>(server, "/threads/count", status === undefined ? {} : { status });

async function seed(server: PublishedServer): Promise<string[]> {
  for (const one of RECORDED) await createConversation(one, (path, body) => post(server, path, body));
  const steps = { name: "steps", graph: "steps", inputs: [{ log: [] }] };
  for (let number = 0; number < FINISHED; number++)
    await createConversation(steps, (path, body) => post(server, path, body));
  const ask = { name: "ask", graph: "ask", inputs: [{ log: ["q"] }] };
  const waiting: string[] = [];
  for (let number = 0; number < WAITING; number++)
    waiting.push(await createConversation(ask, (path, body) => post(server, path, body)));
  return waiting;
}

const answer = (server: PublishedServer, id: string) =>
  post<{ log: string[] }>(server, `/threads/${id}/runs/wait`, { assistant_id: "ask", command: { resume: "yes" } });

const idsIn = async (stack: CliStack) =>
  Object.fromEntries([...(await stack.resources())].map(([name, { id }]) => [name, id]));

test.each<[ServerKind, string]>([
  ["python", "pulumi-agentgraph"],
  ["javascript", "pulumi-agentgraph/native"],
])(
  "A new name moves every thread of a published server in %s, with the classes of %s",
  async (kind, module) => {
    const [source, target] = await Promise.all([1, 2].map(() => startPublished(kind, "conversations")));
    if (!source || !target) throw new Error("no servers");
    try {
      const origins = JSON.stringify([source, target].map(({ url }) => new URL(url).origin));
      const stack = await world.stack({ project: `kept-${kind}`, env: { AGENTGRAPH_AGENT_ORIGINS: origins } });
      if (module.endsWith("native")) await stack.program.usePlugin();
      const at = pathToFileURL(`${stack.program.folder}/kept`).href;
      await stack.program.file("index.js", program(module, "one", source.url, at));
      expect(await stack.up()).toMatchObject({ code: 0 });
      const before = await idsIn(stack);
      const waiting = await seed(source);
      const threads = await count(source);
      await stack.program.file("index.js", program(module, "two", target.url, at));
      const preview = await stack.preview();
      expect(preview.output).toContain("its conversations move to the new one, which is created first");
      expect(preview.output).toContain("it moves with its deployment, and keeps its ID");
      expect((await succeeds(stack.up())).output).toContain(`${threads} threads,`);
      expect(await count(target)).toBe(threads);
      const after = await idsIn(stack);
      expect([after.pinned, after.formal]).toEqual([before.pinned, before.formal]);
      expect(after.agent).not.toBe(before.agent);
      expect((await world.deployments()).map(({ name }) => name)).toEqual(["two"]);
      for (const id of waiting) expect(await answer(target, id)).toEqual(await answer(source, id));
      expect(steps(await stack.preview()).filter((step) => !step.startsWith("same"))).toEqual([]);
      // What users said since then is kept, too.
      expect((await succeeds(stack.destroy())).output).toContain("Its conversations are in ");
    } finally {
      await Promise.all([source.stop(), target.stop()]);
    }
  },
  900_000,
);
