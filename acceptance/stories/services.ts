/**
 * The life of a service: it begins as a deployment with a thread, gets assistants and a cron, and is destroyed as one.
 */
import { steps } from "../engine/events.ts";
import type { Stack } from "../engine/stack.ts";
import { type Api, describe, ok, type Reply } from "../target/http.ts";
import { defaultsOf } from "./agent-server/agents.ts";
import { placeOf } from "./fixture.ts";
import { expect, expectSteps, expectSuccess, type Story, type Told } from "./story.ts";

export const serviceLife: Story = {
  name: "service",
  group: "assistants",
  lacks: ({ server, options }) => {
    if (!server.controlPlane) return "no AGENTGRAPH_URL";
    if (!options.image) return "--image was not given";
    return options.graph ? undefined : "--graph was not given";
  },
  creates: () => ({
    text: "1 deployment with 1 thread, 2 assistants and 1 cron, which is disabled",
    ...{ deployments: 1, rollouts: 1 },
  }),
  tell: async (told) => {
    const life = new Life(told, await told.stack("service"));
    await life.create();
    if (await life.hasAssistants()) {
      await life.addAssistants();
      await life.changePrompt();
      if (await life.hasCrons()) await life.addCron();
      else told.skip("the cron of a service", "this agent server has none");
    } else told.skip("the assistants and crons of a service", "this agent server has none");
    await life.noChange();
    await life.destroy();
  },
};

interface Ids {
  deployment: string;
  assistants: Readonly<Record<string, string>>;
  crons: Readonly<Record<string, string>>;
  thread: string;
}

class Life {
  private api: Api | undefined;
  private readonly told: Told;
  private readonly stack: Stack;
  /** What the program declares beside the deployment and its thread. */
  private content: object = {};

  constructor(told: Told, stack: Stack) {
    this.told = told;
    this.stack = stack;
  }

  private get metadata() {
    return { acceptance: this.told.run.options.prefix, run: this.told.name };
  }

  /** The agent server of the service. */
  private get agent(): Api {
    if (!this.api) throw new Error("The story asks an agent server before it has created one.");
    return this.api;
  }

  private async configure(content: object = {}): Promise<void> {
    const { image, timeoutMinutes } = this.told.run.options;
    this.content = { ...this.content, ...content };
    const deployment = {
      ...{ name: this.told.name, source: "external_docker", sourceRevisionConfig: { imageUri: image } },
      sourceConfig: placeOf(this.told.run.options).inputs,
    };
    const args = { deployment, thread: { metadata: this.metadata }, ...this.content };
    await this.stack.configure({ args, timeout: `${timeoutMinutes}m` });
  }

  private async outputs(): Promise<{ url: string; ids: Ids }> {
    return (await this.stack.outputs()) as { url: string; ids: Ids };
  }

  private async remoteDeployment(): Promise<Reply> {
    const { controlPlane } = this.told.run.server;
    if (!controlPlane) throw new Error("A service is declared without a control plane.");
    return controlPlane.get(`/v2/deployments/${(await this.outputs()).ids.deployment}`);
  }

  /** Runs an up that must make exactly these steps. */
  private async up(...wanted: string[]): Promise<void> {
    const up = await this.stack.up();
    expectSuccess(up, "pulumi up");
    expectSteps(steps(up.events), wanted, up.output);
  }

  create = () =>
    this.told.step("create a service with a thread", async () => {
      await this.configure();
      await this.up("create service", "create service", "create service-thread");
      const { url, ids } = await this.outputs();
      this.api = this.told.run.server.agentServer(url);
      const [deployment, thread] = [await this.remoteDeployment(), await this.agent.get(`/threads/${ids.thread}`)];
      expect(ok(deployment), "the server has the deployment", describe(deployment));
      expect(ok(thread), "its agent server has the thread", describe(thread));
    });

  hasAssistants = async () => (await defaultsOf(this.agent)) !== undefined;

  hasCrons = async () => ok(await this.agent.post("/runs/crons/search", { limit: 1 }));

  private async setPrompt(prompt: string): Promise<void> {
    const one = { graphId: this.told.run.options.graph, metadata: this.metadata };
    const assistants = { concierge: { ...one, context: { prompt } }, porter: { ...one, context: { prompt: "fixed" } } };
    await this.configure({ assistants });
  }

  addAssistants = () =>
    this.told.step("add two assistants to the service", async () => {
      await this.setPrompt("first");
      await this.up("create service-concierge", "create service-porter");
      const { concierge, porter } = await this.versions();
      expect(concierge === 1 && porter === 1, `each has version 1, not ${concierge} and ${porter}`);
    });

  /** The version of each assistant on the server. */
  private async versions(): Promise<Record<string, number>> {
    const { ids } = await this.outputs();
    const versionOf = async ([key, id]: [string, string]) => [key, (await this.assistant(id)).body.version];
    return Object.fromEntries(await Promise.all(Object.entries(ids.assistants).map(versionOf)));
  }

  private async assistant(id: string | undefined): Promise<Reply> {
    const reply = await this.agent.get(`/assistants/${id}`);
    expect(ok(reply), "the server has the assistant", describe(reply));
    return reply;
  }

  /** What a changed prompt must leave as it is, as text. */
  private async restOfService(): Promise<string> {
    const { ids } = await this.outputs();
    const { latest_revision_id: revision, source_revision_config: image } = (await this.remoteDeployment()).body;
    const porter = (await this.assistant(ids.assistants.porter)).body;
    const thread = (await this.agent.get(`/threads/${ids.thread}`)).body;
    return JSON.stringify([revision, image, porter, thread, await defaultsOf(this.agent)]);
  }

  changePrompt = () =>
    this.told.step("another prompt, which makes one version and changes nothing else", async () => {
      const before = await this.restOfService();
      await this.setPrompt("second");
      await this.up("update service-concierge");
      const { ids } = await this.outputs();
      const { version, context } = (await this.assistant(ids.assistants.concierge)).body;
      expect(version === 2, `version 2 of the assistant, not ${version}`);
      expect(context?.prompt === "second", "the server has the prompt", JSON.stringify(context));
      const after = await this.restOfService();
      expect(after === before, "nothing else changed", `Before: ${before}\nAfter: ${after}`);
    });

  addCron = () =>
    this.told.step("add a cron of an assistant of the service", async () => {
      const cron = { assistant: "concierge", schedule: "0 5 1 1 *", enabled: false, input: { messages: [] } };
      await this.configure({ crons: { yearly: { ...cron, metadata: this.metadata } } });
      await this.up("create service-yearly-cron");
      const { ids } = await this.outputs();
      const found = await this.agent.post("/runs/crons/search", { metadata: { run: this.told.name }, limit: 10 });
      expect(ok(found), "a search for the cron succeeds", describe(found));
      const [remote, ...others] = found.body;
      expect(remote?.cron_id === ids.crons.yearly && others.length === 0, "the server has one cron", describe(found));
      expect(remote.assistant_id === ids.assistants.concierge, "it runs the assistant", String(remote.assistant_id));
    });

  noChange = () =>
    this.told.step("preview without changes", async () => {
      const preview = await this.stack.preview("--refresh", "--expect-no-changes");
      expectSuccess(preview, "pulumi preview --refresh --expect-no-changes");
    });

  destroy = () =>
    this.told.step("destroy", async () => {
      const { ids } = await this.outputs();
      const destroyed = await this.stack.destroy();
      expectSuccess(destroyed, "pulumi destroy");
      expect((await this.stack.resources()).size === 0, "the state has no resource", destroyed.output);
      const remote = await this.told.run.server.controlPlane?.get(`/v2/deployments/${ids.deployment}`);
      if (!remote || !ok(remote) || /delet/i.test(remote.body.status)) return;
      expect(destroyed.output.includes("does not support deletion"), "the deployment is gone", describe(remote));
      this.told.skip("the deletion of the deployment", "the server does not support it, as the destroy warned");
    });
}
