/** Every function once, in a program that reads one deployment and one thread. */
import { ok } from "../target/http.ts";
import { createDeployment } from "./fixture.ts";
import { expect, expectSuccess, type Story, type Told } from "./story.ts";

/** What functions say where a server lacks a route, a plan or a setting, which is not a defect. */
const LACKING = /\b(403|404|405|501)\b|not (enabled|support)|Settings are missing|No .* with name/i;

/** They require deployments that a run does not create. */
const OTHERS = {
  getPushToken: "it requires a deployment that runs an image which was pushed to the platform",
  getUploadUrl: "it requires a deployment that is built from an uploaded source",
};

export const functionCalls: Story = {
  name: "functions",
  group: "deployments",
  lacks: ({ server, options }) =>
    !server.controlPlane ? "no AGENTGRAPH_CONTROL_PLANE_URL" : options.image ? undefined : "--image was not given",
  creates: () => ({ text: "1 deployment with 1 thread", deployments: 1, rollouts: 1 }),
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
    for (const [name, why] of Object.entries(OTHERS)) told.skip(name, why);
    await told.step("agentgraph doctor", async () => {
      const doctor = await stack.agentgraph("doctor", "--json");
      const { toFix, problems } = JSON.parse(doctor.stdout);
      expect((toFix ?? problems) === 0, "agentgraph doctor finds nothing to fix", doctor.output);
    });
  },
};

async function createKnown(told: Told): Promise<object> {
  const { live } = await createDeployment(told);
  const { id, name, active_revision_id: revisionId, source_config: source } = live.body;
  const thread = await told.run.server.agentServer(source.custom_url).post("/threads", {});
  expect(ok(thread), "a thread is created");
  return { deploymentId: id, deploymentName: name, revisionId, threadId: thread.body.thread_id };
}
