/** Verified rollouts: a revision whose check fails is off again, and one that passes stays. */
import { steps } from "../../engine/events.ts";
import type { Stack } from "../../engine/stack.ts";
import { placeOf } from "../fixture.ts";
import { expect, expectSteps, expectSuccess, type Story, type Told } from "../story.ts";
import { isSame } from "./rollouts.ts";

/** Every agent server has this route. */
const SEARCH = { path: "/threads/search", body: { limit: 1 } };
const NEVER = { http: { ...SEARCH, expect: { contains: "a text of no agent" } }, attempts: 2, pause: "1s" };

export const verifiedRollouts: Story = {
  name: "verified",
  group: "deployments",
  lacks: ({ server, options }) =>
    !server.controlPlane ? "no AGENTGRAPH_URL" : !options.image ? "--image was not given" : undefined,
  creates: () => ({ text: "1 deployment", deployments: 1, rollouts: 4 }),
  tell: async (told) => {
    const life = new VerifiedLife(told, await told.stack("deployment"));
    await life.create();
    await life.fail();
    await life.fix();
    await life.checkLive();
    await life.destroy();
  },
};

interface Remote {
  active_revision_id: string;
  latest_revision_id: string;
}

class VerifiedLife {
  private readonly told: Told;
  private readonly stack: Stack;

  constructor(told: Told, stack: Stack) {
    this.told = told;
    this.stack = stack;
  }

  private async configure(secret: string, ...verify: object[]): Promise<void> {
    const { image, timeoutMinutes } = this.told.run.options;
    const inputs = {
      source: "external_docker",
      sourceRevisionConfig: { imageUri: image },
      sourceConfig: {
        resourceSpec: { minScale: 1, maxScale: 1, cpu: 1, memoryMb: 1024 },
        ...placeOf(this.told.run.options).inputs,
      },
      verify: [{ http: SEARCH }, { conversations: {} }, ...verify],
    };
    await this.stack.configure({ name: this.told.name, inputs, secret, timeout: `${timeoutMinutes}m` });
  }

  private async remote(): Promise<Remote> {
    const id = (await this.stack.resources()).get("agent")?.id;
    return (await this.told.run.server.controlPlane?.get(`/v2/deployments/${id}`))?.body;
  }

  /** Expects that state records the live revision as the verified one. @returns Its ID. */
  private async expectVerified(output: string): Promise<string> {
    const { active_revision_id: active, latest_revision_id: latest } = await this.remote();
    const verified = (await this.stack.resources()).get("agent")?.outputs?.verifiedRevisionId;
    expect(isSame(active, latest), "the newest revision is live", output);
    expect(isSame(verified, active), `the live revision ${active} is recorded as verified, not ${verified}`, output);
    return active;
  }

  create = () =>
    this.told.step("create, and check the first revision", async () => {
      await this.configure("");
      const up = await this.stack.up();
      expectSuccess(up, "pulumi up");
      expectSteps(steps(up.events), ["create agent"], up.output);
      await this.expectVerified(up.output);
    });

  fail = () =>
    this.told.step("a revision whose check fails", async () => {
      const { active_revision_id: before } = await this.remote();
      await this.configure("-rotated", NEVER);
      const failed = await this.stack.up();
      expect(failed.code !== 0, "pulumi up fails with a check that fails", failed.output);
      expect(failed.output.includes(NEVER.http.expect.contains), "the error shows what was expected", failed.output);
      const live = await this.expectVerified(failed.output);
      expect(!isSame(live, before), "the previous configuration was deployed again", failed.output);
    });

  fix = () =>
    this.told.step("the same revision with checks that pass", async () => {
      const { active_revision_id: before } = await this.remote();
      await this.configure("-rotated");
      const fixed = await this.stack.up();
      expectSuccess(fixed, "pulumi up with the corrected checks");
      const live = await this.expectVerified(fixed.output);
      expect(!isSame(live, before), "another revision is live", fixed.output);
    });

  /** Changed checks alone make no revision. */
  checkLive = () =>
    this.told.step("another check of the live revision", async () => {
      const { active_revision_id: before } = await this.remote();
      await this.configure("-rotated", { name: "search", http: SEARCH });
      const up = await this.stack.up();
      expectSuccess(up, "pulumi up with one more check");
      expect(isSame(await this.expectVerified(up.output), before), "the same revision is live", up.output);
      const preview = await this.stack.preview("--refresh", "--expect-no-changes");
      expectSuccess(preview, "pulumi preview --refresh --expect-no-changes");
    });

  destroy = () => this.told.step("destroy", async () => expectSuccess(await this.stack.destroy(), "pulumi destroy"));
}
