/** Every function once, in a program that reads one deployment and one thread. */
import { agentUrlOf, marksOf } from "../statements/check.ts";
import { emptyBody, request } from "../statements/probes.ts";
import { describe, ok } from "../target/http.ts";
import { createDeployment } from "./fixture.ts";
import { expect, expectSuccess, type Story, type Told } from "./story.ts";

/** What functions say where a server lacks a route, a plan or a setting, which is not a defect. */
const LACKING = /: (403|404|405|501)\b|Settings are missing/;

/** A source that is built requires the file of its graphs. */
const BUILT = { agentgraph_config_path: "agentgraph.json" };

export const functionCalls: Story = {
  name: "functions",
  group: "deployments",
  lacks: ({ server, options }) =>
    !server.controlPlane ? "no AGENTGRAPH_URL" : options.image ? undefined : "--image was not given",
  creates: () => ({ text: "1 deployment with 1 thread, and 2 without an image", deployments: 3, rollouts: 1 }),
  tell: async (told) => {
    const known = await told.step("create a deployment and a thread", () => createKnown(told));
    const stack = await told.stack("functions");
    await stack.configure({ known });
    const functions = await told.step("call every function", async () => {
      expectSuccess(await stack.up(), "pulumi up");
      return (await stack.outputs()).functions as Record<string, string>;
    });
    for (const [name, said] of Object.entries(functions)) {
      if (said === "returned") continue;
      expect(said.startsWith("none: ") || LACKING.test(said), `${name} returns`, said);
      told.skip(name, said.replace(/^none: /, "").split("\n")[0] ?? "");
    }
    await told.step("agentgraph doctor", async () => {
      const doctor = await stack.agentgraph("doctor", "--json");
      const { toFix, problems } = JSON.parse(doctor.stdout);
      expect((toFix ?? problems) === 0, "agentgraph doctor finds nothing to fix", doctor.output);
    });
  },
};

async function createKnown(told: Told): Promise<object> {
  const { live } = await createDeployment(told);
  const { id, name, active_revision_id: revisionId } = live.body;
  const metadata = marksOf({ prefix: told.run.options.prefix, name: told.name });
  const thread = await told.run.server.agentServer(agentUrlOf(live.body) ?? "").post("/threads", { metadata });
  expect(ok(thread), "a thread is created", describe(thread));
  const others = {
    pushed: await createOther(told, "internal_docker", {}),
    uploaded: await createOther(told, "internal_source", BUILT),
  };
  return { deploymentId: id, deploymentName: name, revisionId, threadId: thread.body.thread_id, ...others };
}

/** Requests a deployment whose image or source comes later. @returns Its ID, or why the server does not create it. */
async function createOther(told: Told, source: string, revision: object): Promise<{ id?: string; why?: string }> {
  const { server } = told.run;
  const { controlPlane, vocabulary } = server;
  if (!controlPlane) return { why: "no control plane" };
  const body = { source: vocabulary[source] ?? source, source_revision_config: revision };
  const created = await request(controlPlane, emptyBody(`${told.name}-${source.replace("_", "-")}`, body));
  if (!ok(created)) return { why: `the server creates no deployment of source ${source}: ${describe(created)}` };
  return { id: created.body.id };
}
