/**
 * The life of an assistant: each change makes one version, drift and a rollback are reverted, and default assistants
 * stay as they are.
 */
import { drifted, steps } from "../../engine/events.ts";
import type { Stack } from "../../engine/stack.ts";
import { describe, ok } from "../../target/http.ts";
import { expect, expectSteps, expectSuccess, type Story, type Told } from "../story.ts";
import { type AgentServer, agentServerOf, creates, defaultsOf, lacksGraph } from "./agents.ts";

export const assistantLife: Story = {
  name: "assistants",
  group: "assistants",
  lacks: lacksGraph,
  creates: creates("1 assistant"),
  tell: async (told) => {
    const server = await agentServerOf(told);
    const defaults = await defaultsOf(server.api);
    if (defaults === undefined) return told.skip("assistants", "this agent server has none");
    const life = new Life(told, await told.stack("assistants"), server);
    await life.create();
    await life.noChange();
    await life.change();
    await life.drift();
    await life.rollback();
    await life.destroy();
    const after = await defaultsOf(server.api);
    expect(after === defaults, "the default assistants are unchanged", `Before: ${defaults}\nAfter: ${after}`);
  },
};

class Life {
  private id = "";
  private readonly told: Told;
  private readonly stack: Stack;
  private readonly server: AgentServer;

  constructor(told: Told, stack: Stack, server: AgentServer) {
    this.told = told;
    this.stack = stack;
    this.server = server;
  }

  private async configure(step: string): Promise<void> {
    const { inputs: server, graph } = this.server;
    await this.stack.configure({ server, graph, step, run: this.told.name, prefix: this.told.run.options.prefix });
  }

  private remote = () => this.server.api.get(`/assistants/${this.id}`);

  /** Expects that the assistant has the content of a step, in this version. */
  private async expectRemote(step: string, version: number): Promise<void> {
    const reply = await this.remote();
    expect(ok(reply), "the server has the assistant", describe(reply));
    const { body } = reply;
    const [context, config] = [JSON.stringify(body.context), JSON.stringify(body.config)];
    expect(context === JSON.stringify({ step }), `the context has the step ${step}`, context);
    expect(
      body.config.tags?.join() === step && body.config.recursion_limit === 12,
      "the config is as declared",
      config,
    );
    expect(body.version === version, `version ${version}, not ${body.version}`);
  }

  create = () =>
    this.told.step("create an assistant", async () => {
      await this.configure("first");
      expectSuccess(await this.stack.up(), "pulumi up");
      const { id, version } = await this.stack.outputs();
      this.id = String(id);
      expect(version === 1, `the output version is 1, not ${version}`);
      await this.expectRemote("first", 1);
    });

  noChange = () =>
    this.told.step("preview without changes", async () => {
      const preview = await this.stack.preview("--refresh", "--expect-no-changes");
      expectSuccess(preview, "pulumi preview --refresh --expect-no-changes");
    });

  change = () =>
    this.told.step("another context, which makes one version", async () => {
      await this.configure("second");
      const preview = await this.stack.preview();
      expect(preview.output.includes("new version: "), "the preview announces a new version", preview.output);
      const up = await this.stack.up();
      expectSuccess(up, "pulumi up");
      expectSteps(steps(up.events), ["update assistant"], up.output);
      await this.expectRemote("second", 2);
      expectSuccess(await this.stack.up("--expect-no-changes"), "pulumi up --expect-no-changes");
      await this.expectRemote("second", 2);
    });

  drift = () =>
    this.told.step("a change by a direct request, found by a refresh and reverted by the next up", async () => {
      const body = { context: { step: "by someone else" }, config: { tags: ["other"] } };
      const changed = await this.server.api.patch(`/assistants/${this.id}`, body);
      expect(ok(changed), "a direct request changes the assistant", describe(changed));
      await this.expectRevert("second", 4);
    });

  rollback = () =>
    this.told.step("a rollback by a direct request, found by a refresh and reverted by the next up", async () => {
      const back = await this.server.api.post(`/assistants/${this.id}/latest`, { version: 1 });
      if (!ok(back)) return this.told.skip("a rollback", `the server returned ${back.status}`);
      await this.expectRevert("second", 5);
    });

  private async expectRevert(step: string, version: number): Promise<void> {
    const refreshed = await this.stack.refresh();
    expectSuccess(refreshed, "pulumi refresh");
    expect(drifted(refreshed.events).join() === "assistant", "the refresh shows the change", refreshed.output);
    const up = await this.stack.up();
    expectSuccess(up, "pulumi up");
    expectSteps(steps(up.events), ["update assistant"], up.output);
    await this.expectRemote(step, version);
  }

  destroy = () =>
    this.told.step("destroy", async () => {
      expectSuccess(await this.stack.destroy(), "pulumi destroy");
      const reply = await this.remote();
      expect(reply.status === 404, "the assistant is gone", describe(reply));
    });
}
