/**
 * The life of a cron, which is disabled and starts no run: changes in place, drift, and an interrupted create, which
 * leaves one.
 */
import { drifted, steps } from "../../engine/events.ts";
import type { Stack } from "../../engine/stack.ts";
import { describe, ok } from "../../target/http.ts";
import { expect, expectSteps, expectSuccess, type Story, type Told } from "../story.ts";
import { type AgentServer, agentServerOf, creates, defaultsOf, lacksGraph } from "./agents.ts";

export const cronLife: Story = {
  name: "crons",
  group: "crons",
  lacks: lacksGraph,
  creates: creates("1 cron, which is disabled"),
  tell: async (told) => {
    const server = await agentServerOf(told);
    const life = new Life(told, await told.stack("crons"), server);
    if (!(await life.isSupported())) {
      await life.refusal();
      return told.skip("crons", "this agent server has none");
    }
    const defaults = await defaultsOf(server.api);
    await life.create();
    await life.noChange();
    await life.interruptedCreate();
    await life.change();
    await life.drift();
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

  private async configure(schedule: string): Promise<void> {
    const { inputs: server, graph } = this.server;
    await this.stack.configure({ server, graph, schedule, run: this.told.name, prefix: this.told.run.options.prefix });
  }

  private search = () => this.server.api.post("/runs/crons/search", { metadata: { run: this.told.name }, limit: 100 });

  isSupported = async () => ok(await this.search());

  /** Expects that the server has this cron with a schedule, and no other one of the run. */
  private async expectRemote(schedule: string): Promise<void> {
    const found = await this.search();
    expect(ok(found), "a search for the cron succeeds", describe(found));
    const ids = found.body.map(({ cron_id }: { cron_id: string }) => cron_id);
    expect(ids.join() === this.id, `the server has one cron, ${this.id}, not ${ids.join(", ") || "none"}`);
    const [{ schedule: remote, enabled, timezone }] = found.body;
    expect(remote === schedule && timezone === "Europe/Berlin", `the schedule ${schedule}, not ${remote} ${timezone}`);
    expect(enabled === false, "the cron is disabled");
  }

  refusal = () =>
    this.told.step("declare a cron on a server without crons", async () => {
      await this.configure("0 5 1 1 *");
      const up = await this.stack.up();
      expect(up.code !== 0 && up.output.includes("does not support crons"), "one clear error", up.output);
    });

  create = () =>
    this.told.step("create a cron", async () => {
      await this.configure("0 5 1 1 *");
      expectSuccess(await this.stack.up(), "pulumi up");
      this.id = String((await this.stack.outputs()).id);
      await this.expectRemote("0 5 1 1 *");
    });

  noChange = () =>
    this.told.step("preview without changes", async () => {
      const preview = await this.stack.preview("--refresh", "--expect-no-changes");
      expectSuccess(preview, "pulumi preview --refresh --expect-no-changes");
    });

  /** A run that is killed between the create and the end leaves the cron on the server, and nothing in state. */
  interruptedCreate = () =>
    this.told.step("a create whose result is not in state, continued by the next up", async () => {
      const { urn } = (await this.stack.resources()).get("cron") ?? {};
      await this.stack.runOrThrow("state", "delete", String(urn), "--yes");
      expectSuccess(await this.stack.up(), "pulumi up");
      const { id } = await this.stack.outputs();
      expect(id === this.id, `the cron ${this.id} is found, not ${id} created`);
      await this.expectRemote("0 5 1 1 *");
    });

  change = () =>
    this.told.step("another schedule, in place", async () => {
      await this.configure("30 6 1 1 *");
      const up = await this.stack.up();
      expectSuccess(up, "pulumi up");
      expectSteps(steps(up.events), ["update cron"], up.output);
      await this.expectRemote("30 6 1 1 *");
    });

  drift = () =>
    this.told.step("a change by a direct request, found by a refresh and reverted by the next up", async () => {
      const changed = await this.server.api.patch(`/runs/crons/${this.id}`, { schedule: "0 7 1 1 *" });
      expect(ok(changed), "a direct request changes the cron", describe(changed));
      const refreshed = await this.stack.refresh();
      expectSuccess(refreshed, "pulumi refresh");
      expect(drifted(refreshed.events).join() === "cron", "the refresh shows the change", refreshed.output);
      const up = await this.stack.up();
      expectSuccess(up, "pulumi up");
      expectSteps(steps(up.events), ["update cron"], up.output);
      await this.expectRemote("30 6 1 1 *");
    });

  destroy = () =>
    this.told.step("destroy", async () => {
      expectSuccess(await this.stack.destroy(), "pulumi destroy");
      const reply = await this.server.api.get(`/runs/crons/${this.id}`);
      expect(reply.status === 404, "the cron is gone", describe(reply));
    });
}
