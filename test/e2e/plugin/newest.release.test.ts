/**
 * What only newer versions of Pulumi do, with the newest CLI and SDK: whether a resource exists, hooks, and
 * replacements because of `deletedWith`. The first two need a language host as new as the CLI, or a program of the
 * Automation API, which has none.
 */
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { version } from "../../../package.json";
import { describeWithTools } from "../../support/tools";
import { succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { steps } from "../support/cli/events";
import { pluginFolder } from "../support/packages/plugin";
import { World } from "../support/world";

const run = promisify(execFile);
const world = new World();
const ABSENT = "11111111-2222-4333-8444-555555555555";

/** A program of the Automation API, which runs the steps that its source declares. */
const automation = (source: string) => `const pulumi = require("@pulumi/pulumi");
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const ofType = (kind) => "agentgraph:index:" + kind;
const imageOf = (image) => ({ imageUri: "registry.example.com/agent:" + image });
const agentArgs = (image) => ({ source: "external_docker", sourceRevisionConfig: imageOf(image) });
const up = async (program) => {
  const stack = await LocalWorkspace.createOrSelectStack({ stackName: "dev", projectName: "newest", program });
  const result = await stack.up().catch((error) => ({ outputs: {}, error: error.message }));
  const values = Object.entries(result.outputs).map(([key, { value }]) => [key, value]);
  return { ...Object.fromEntries(values), error: result.error };
};
(async () => { ${source} })().then((result) => console.log(JSON.stringify(result)));`;

const versions = ["pulumi-newest", "pulumi-sdk-newest"] as const;
describeWithTools("The newest Pulumi CLI", versions, ({ "pulumi-newest": cli, "pulumi-sdk-newest": sdk }) => {
  const path = (...folders: string[]) => [dirname(cli), ...folders, process.env.PATH].join(delimiter);

  async function automate(name: string, source: string, more: Record<string, string> = {}) {
    const stack = await world.stack({ project: name, backend: `state-${name}`, env: more });
    const { folder } = stack.program;
    await rm(join(folder, "node_modules/@pulumi/pulumi"));
    await stack.program.linkSdk(sdk);
    await stack.program.file("run.cjs", automation(source));
    const env: Record<string, string> = { ...stack.environment(), PATH: path(await pluginFolder()) };
    // The program selects the stack.
    delete env.PULUMI_STACK;
    const { stdout } = await run(process.execPath, ["run.cjs"], { cwd: folder, env });
    return JSON.parse(stdout.trim().split("\\n").at(-1) ?? "");
  }

  test("asks whether an object exists, and a program gets the answer no for one that does not", async () => {
    const { deployments: [agent = ""] = [] } = await world.emulator.seed({
      deployments: [{ name: "seeded", source: "internal_docker", revision_status: "DEPLOYED" }],
    });
    const answers = await automate(
      "exists",
      `const version = { version: "${version}" };
      const exists = (kind, id) => pulumi.runtime.existsResource(ofType(kind), id, undefined, version);
      return up(async () => ({
        agent: exists("Deployment", process.env.AGENT),
        absent: exists("Deployment", "${ABSENT}"),
        name: exists("Deployment", "support-agent"),
        thread: exists("Thread", process.env.AGENT + "/${ABSENT}"),
        withDeployment: exists("Assistant", "${ABSENT}/${ABSENT}"),
      }));`,
      { AGENT: agent },
    );
    expect(answers).toEqual({ agent: true, absent: false, name: false, thread: false, withDeployment: false });
  });

  test("runs hooks of a resource, and forgets one that fails: the next up changes nothing", async () => {
    const ran = await automate(
      "hooks",
      `const ran = [];
      const program = (image) => async () => {
        const hook = (name, act) => new pulumi.ResourceHook(name, act);
        const created = hook("created", ({ newOutputs }) => { ran.push("created: " + newOutputs.status); });
        const updated = hook("updated", () => { ran.push("updated"); throw new Error("the answer was wrong"); });
        const hooks = { afterCreate: [created], afterUpdate: [updated] };
        const options = { deleteBeforeReplace: true, version: "${version}", hooks };
        const args = { ...agentArgs(image), status: undefined };
        const agent = new pulumi.CustomResource(ofType("Deployment"), "agent", args, options);
        return { id: agent.id };
      };
      const first = await up(program(1));
      const second = await up(program(2));
      const third = await up(program(2));
      return { ran, hasFailed: /the answer was wrong/.test(second.error), isSame: first.id === third.id };`,
    );
    expect(ran).toEqual({ ran: ["created: READY", "updated"], hasFailed: true, isSame: true });
  });

  /** Declares an agent, and what the server deletes with it. */
  const declare = (stack: CliStack, module: string, name: string) =>
    stack.program.file(
      "index.js",
      `const agentgraph = require("${module}");
      const agent = new agentgraph.Deployment("agent", { name: "${name}", source: "external_docker",
        sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
        keepConversations: { at: "${pathToFileURL(join(stack.program.folder, "kept")).href}" } });
      const on = { deploymentId: agent.id };
      new agentgraph.Thread("talk", { ...on, metadata: { graph_id: "echo" } }, { deletedWith: agent });
      new agentgraph.Assistant("formal", { ...on, graphId: "echo" }, { deletedWith: agent });`,
    );

  const post = async (url: string, body: object) => {
    const headers = { "content-type": "application/json", "x-api-key": "somebody" };
    return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).text();
  };

  test.each(["pulumi-agentgraph", "pulumi-agentgraph/native"])(
    "replaces a thread with its deployment, because of deletedWith, and the thread of %s keeps its conversation",
    async (module) => {
      const project = module.replace("/", "-");
      const stack = await world.stack({ project, env: { PATH: path() } });
      if (module.endsWith("native")) await stack.program.usePlugin();
      await declare(stack, module, `${project}-one`);
      expect(await stack.up()).toMatchObject({ code: 0 });
      const before = await stack.resources();
      const thread = before.get("talk")?.id ?? "";
      const urlOf = (id = "") => `${world.url}/agents/${id}/threads/${thread}`;
      const messages = [{ role: "user", content: "Hello from before" }];
      await post(`${urlOf(before.get("agent")?.id)}/runs/wait`, { assistant_id: "echo", input: { messages } });

      await declare(stack, module, `${project}-two`);
      const replaced = await succeeds(stack.up());
      expect(steps(replaced)).toEqual(expect.arrayContaining(["replace agent", "replace talk", "replace formal"]));
      const after = await stack.resources();
      expect([after.get("talk")?.id, after.get("formal")?.id]).toEqual([thread, before.get("formal")?.id]);
      const state = await (await fetch(urlOf(after.get("agent")?.id), { headers: { "x-api-key": "somebody" } })).text();
      expect(state).toContain("Hello from before");
      expect(await stack.preview("--expect-no-changes", "--refresh")).toMatchObject({ code: 0 });
      expect(await stack.destroy()).toMatchObject({ code: 0 });
    },
  );
});
