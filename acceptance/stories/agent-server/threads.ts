/** The life of threads: empty, with a history, and copied; metadata that changes, and drift. */
import { drifted, steps } from "../../engine/events.ts";
import type { Stack } from "../../engine/stack.ts";
import { type Api, describe, ok } from "../../target/http.ts";
import { isSame } from "../deployments/rollouts.ts";
import { placeOf } from "../fixture.ts";
import { expect, expectSteps, expectSuccess, type Story, type Told } from "../story.ts";

export const threadLife: Story = {
  name: "threads",
  group: "threads",
  lacks: ({ server, options }) =>
    options.agentUrl || (server.controlPlane && options.image)
      ? undefined
      : "neither --agent-url nor --image was given",
  creates: ({ options }) => ({
    text: options.agentUrl ? "3 threads" : "1 deployment with 3 threads",
    deployments: options.agentUrl ? 0 : 1,
    rollouts: options.agentUrl ? 0 : 1,
  }),
  tell: async (told) => {
    const life = new Life(told, await told.stack("threads"));
    await life.create();
    await life.noChange();
    await life.changeMetadata();
    await life.drift();
    await life.destroy();
  },
};

/** IDs of the threads that the program declares. */
interface Ids {
  empty: string;
  talk?: string;
  copy: string;
}

class Life {
  private url = "";
  private stepName = "first";

  private readonly told: Told;
  private readonly stack: Stack;

  constructor(told: Told, stack: Stack) {
    this.told = told;
    this.stack = stack;
  }

  private get api(): Api {
    return this.told.run.server.agentServer(this.url);
  }

  private async configure(): Promise<void> {
    const { options } = this.told.run;
    const { agentUrl, graph, image, timeoutMinutes, prefix } = options;
    const source = { source: "external_docker", sourceConfig: placeOf(options).inputs };
    await this.stack.configure({
      ...{ prefix, run: this.told.name, step: this.stepName, timeout: `${timeoutMinutes}m` },
      ...(graph && { graph }),
      ...(agentUrl
        ? { agentUrl }
        : { name: this.told.name, inputs: { ...source, sourceRevisionConfig: { imageUri: image } } }),
    });
  }

  private async ids(): Promise<Ids> {
    const { url, ids } = (await this.stack.outputs()) as { url: string; ids: Ids };
    this.url = url;
    return ids;
  }

  create = () =>
    this.told.step("create an empty thread, one with a history, and a copy", async () => {
      await this.configure();
      const up = await this.stack.up();
      expectSuccess(up, "pulumi up");
      const ids = await this.ids();
      const empty = await this.api.get(`/threads/${ids.empty}`);
      expect(ok(empty) && isSame(empty.body.thread_id, ids.empty), "the server has the thread", describe(empty));
      expect(empty.body.metadata?.step === "first", "the thread has its metadata", describe(empty));
      if (!ids.talk) return this.told.skip("a thread with a history", "--graph was not given");
      for (const id of [ids.talk, ids.copy]) {
        const state = await this.api.get(`/threads/${id}/state`);
        const text = JSON.stringify(state.body?.values ?? {});
        expect(
          text.includes("Hello from an acceptance test"),
          "the thread and its copy have the history",
          describe(state),
        );
      }
    });

  noChange = () =>
    this.told.step("preview without changes", async () => {
      const preview = await this.stack.preview("--refresh", "--expect-no-changes");
      expectSuccess(preview, "pulumi preview --refresh --expect-no-changes");
    });

  changeMetadata = () =>
    this.told.step("other metadata", async () => {
      const before = await this.ids();
      this.stepName = "second";
      await this.configure();
      let up = await this.stack.up();
      // A server that cannot do it says so to the first attempt, whose error offers a replacement.
      const offered = [...up.output.matchAll(/--replace '([^']+)'/g)].flatMap(([, urn = ""]) => ["--replace", urn]);
      if (up.output.includes("This server cannot change threads")) up = await this.stack.up(...offered);
      expectSuccess(up, "pulumi up");
      const ids = await this.ids();
      const remote = await this.api.get(`/threads/${ids.empty}`);
      expect(remote.body.metadata?.step === "second", "the server has the new metadata", describe(remote));
      if (isSame(ids.empty, before.empty)) return;
      this.told.skip("metadata that changes in place", "the server does not support it, so the threads were replaced");
    });

  drift = async () => {
    const { empty } = await this.ids();
    const changed = await this.api.patch(`/threads/${empty}`, { metadata: { step: "by someone else" } });
    if (!ok(changed)) return this.told.skip("drift", `the server does not update threads (${changed.status})`);
    await this.told.step("a change by a direct request, found by a refresh and reverted by the next up", async () => {
      const refreshed = await this.stack.refresh();
      expectSuccess(refreshed, "pulumi refresh");
      expect(drifted(refreshed.events).join() === "empty", "the refresh shows the changed thread", refreshed.output);
      const up = await this.stack.up();
      expectSuccess(up, "pulumi up");
      expectSteps(steps(up.events), ["update empty"], up.output);
      const remote = await this.api.get(`/threads/${empty}`);
      expect(remote.body.metadata?.step === "second", "the update reverts it", describe(remote));
    });
  };

  destroy = () =>
    this.told.step("destroy", async () => {
      const { empty } = await this.ids();
      const destroyed = await this.stack.destroy();
      expectSuccess(destroyed, "pulumi destroy");
      if (!ok(await this.api.get(`/threads/${empty}`))) return;
      expect(destroyed.output.includes("does not support deletion"), "the threads are gone", destroyed.output);
      this.told.skip("the deletion of threads", "the server does not support it, as the destroy warned");
    });
}
