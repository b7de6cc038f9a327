/** The life of a deployment of an image: from its creation to `pulumi destroy`, with every kind of change. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drifted, steps } from "../../engine/events.ts";
import type { EngineResult, Stack } from "../../engine/stack.ts";
import { describe, ok } from "../../target/http.ts";
import { placeOf, requestDeployment } from "../fixture.ts";
import { expect, expectSteps, expectSuccess, type Run, type Story, type Told } from "../story.ts";
import { isSame, waitForRevision } from "./rollouts.ts";

const RESOURCES = { minScale: 1, maxScale: 1, cpu: 1, memoryMb: 1024 };
/** API `10A.duration`. */
const LONGEST_MS = { rollout: 30 * 60_000, deletion: 10 * 60_000 };
const [STATUS_MESSAGE, GRACE] = ["2A.Revision.status_message", "4A.DELETE:grace"];
const MORE_RESOURCES = { ...RESOURCES, maxScale: 2 };

export const deploymentLife: Story = {
  name: "life",
  group: "deployments",
  lacks: ({ server, options }) =>
    !server.controlPlane ? "no AGENTGRAPH_URL" : !options.image ? "--image was not given" : undefined,
  creates: ({ options }) => ({
    text: "1 deployment",
    deployments: 1,
    rollouts: 4 + (options.nextImage ? 1 : 0) + (options.brokenImage ? 2 : 0),
  }),
  looksAt: ["10A.duration", "10A.deleted", STATUS_MESSAGE, GRACE],
  tell: async (told) => {
    const life = new Life(told, await told.stack("deployment"));
    await life.create();
    await life.noChange();
    await life.changeImage();
    await life.changeTwoFields();
    await life.failAndRetry();
    await life.drift();
    await life.importElsewhere();
    await life.destroy();
  },
};

class Life {
  private id = "";
  private image: string;
  private resourceSpec: object = RESOURCES;
  private secret = "";

  private readonly told: Told;
  private readonly stack: Stack;

  constructor(told: Told, stack: Stack) {
    this.told = told;
    this.stack = stack;
    this.image = told.run.options.image ?? "";
  }

  private get run(): Run {
    return this.told.run;
  }

  private configuration(more: object = {}): Record<string, unknown> {
    const { image, resourceSpec } = this;
    const inputs = {
      source: "external_docker",
      sourceRevisionConfig: { imageUri: image },
      sourceConfig: { resourceSpec, ...placeOf(this.run.options).inputs },
    };
    const timeout = `${this.run.options.timeoutMinutes}m`;
    return { name: this.told.name, inputs, secret: this.secret, timeout, ...more };
  }

  private async configure(change: { image?: string } = {}): Promise<void> {
    if (change.image) this.image = change.image;
    await this.stack.configure(this.configuration());
  }

  private remote() {
    return this.run.server.controlPlane?.get(`/v2/deployments/${this.id}`) ?? Promise.reject(new Error("no server"));
  }

  /** Expects one update that ends with a live revision. */
  private async expectRollout(before: string): Promise<void> {
    const up = await this.stack.up();
    expectSuccess(up, "pulumi up");
    expectSteps(steps(up.events), ["update agent"], up.output);
    const { body } = await this.remote();
    expect(!isSame(body.active_revision_id, before), "another revision is live", String(body.active_revision_id));
    expect(isSame(body.active_revision_id, body.latest_revision_id), "the newest revision is live");
  }

  private live = async () => String((await this.remote()).body.active_revision_id);

  create = () =>
    this.told.step("create", async () => {
      await this.configure();
      const begin = Date.now();
      const up = await this.stack.up();
      this.sawDuration("rollout", begin);
      expectSuccess(up, "pulumi up");
      expectSteps(steps(up.events), ["create agent"], up.output);
      this.id = String((await this.stack.resources()).get("agent")?.id);
      const remote = await this.remote();
      expect(ok(remote) && remote.body.name === this.told.name, "the server has the deployment", describe(remote));
      expect(remote.body.active_revision_id, "a revision is live", describe(remote));
      this.told.saw("1A:create");
      this.told.saw("1A.3");
    });

  noChange = () =>
    this.told.step("preview without changes", async () => {
      const preview = await this.stack.preview("--refresh", "--expect-no-changes");
      expectSuccess(preview, "pulumi preview --refresh --expect-no-changes");
      this.told.saw("2A.ResourceSpec:derived");
    });

  changeImage = async () => {
    const { nextImage } = this.run.options;
    if (!nextImage) return this.told.skip("a changed image", "--next-image was not given");
    await this.told.step("another image, with a review of its preview", async () => {
      const before = await this.live();
      await this.configure({ image: nextImage });
      await this.review();
      await this.expectRollout(before);
      this.told.saw("2A.SourceRevisionConfig.image_uri:revision");
    });
  };

  /** `agentgraph review` makes a comment of the preview. */
  private async review(): Promise<void> {
    const preview = await this.stack.run("pulumi", ["preview", "--json", "--non-interactive"]);
    expectSuccess(preview, "pulumi preview --json");
    await writeFile(join(this.stack.folder, "preview.json"), preview.stdout);
    const review = await this.stack.agentgraph("review", "preview.json", "--fail-on", "data-loss,replace");
    expectSuccess(review, "agentgraph review --fail-on data-loss,replace");
    expect(review.stdout.includes("new revision"), "the review announces a new revision", review.output);
  }

  changeTwoFields = () =>
    this.told.step("another secret and another resource spec in one revision", async () => {
      const before = await this.live();
      this.secret = "-rotated";
      this.resourceSpec = MORE_RESOURCES;
      await this.configure();
      await this.expectRollout(before);
    });

  failAndRetry = async () => {
    const { brokenImage } = this.run.options;
    if (!brokenImage) return this.told.skip("a rollout that fails", "--broken-image was not given");
    await this.told.step("a rollout that fails", async () => {
      const before = await this.live();
      const good = this.image;
      await this.run.server.emulator?.faults.add({ revision: { deployment: this.told.name, ends: "DEPLOY_FAILED" } });
      await this.configure({ image: brokenImage });
      const failed = await this.stack.up();
      this.expectFailedRollout(failed);
      await this.readStatusMessage();
      expect(isSame(await this.live(), before), "the previous revision to be live after a failed rollout");
      await this.configure({ image: good });
      const fixed = await this.stack.up();
      expectSuccess(fixed, "pulumi up after the image was corrected");
      const { body } = await this.remote();
      expect(isSame(body.active_revision_id, body.latest_revision_id), "the corrected revision is live", fixed.output);
    });
  };

  private async readStatusMessage(): Promise<void> {
    const { latest_revision_id: latest } = (await this.remote()).body;
    const revision = await this.run.server.controlPlane?.get(`/v2/deployments/${this.id}/revisions/${latest}`);
    if (revision?.body?.status_message) this.told.saw(STATUS_MESSAGE);
    else this.told.notSeen(STATUS_MESSAGE, "the server does not say it of a failed revision");
  }

  private expectFailedRollout({ code, output }: EngineResult): void {
    expect(code !== 0, "pulumi up fails with a broken image", output);
    expect(/rollout (failed|did not finish)/.test(output), "the error reports the rollout", output);
    expect(output.includes(`image      ${this.image}`), "the error names the image", output);
  }

  drift = async () => {
    const { nextImage, image } = this.run.options;
    const other = this.image === image ? nextImage : image;
    if (!other) return this.told.skip("drift", "--next-image was not given");
    await this.told.step("a change by a direct request, found by a refresh and reverted by the next up", async () => {
      const before = await this.live();
      const change = { source_revision_config: { image_uri: other } };
      const changed = await this.run.server.controlPlane?.patch(`/v2/deployments/${this.id}`, change);
      expect(changed && ok(changed), "a PATCH of the image succeeds", changed && describe(changed));
      await waitForRevision(this.run, this.id, before);
      const refreshed = await this.stack.refresh();
      expectSuccess(refreshed, "pulumi refresh");
      expect(drifted(refreshed.events).includes("agent"), "the refresh shows the changed image", refreshed.output);
      await this.expectRollout(await this.live());
    });
  };

  /** A second stack takes the deployment over, and finds nothing to change. */
  importElsewhere = () =>
    this.told.step("import by another stack", async () => {
      const other = await this.told.stack("deployment", "-import");
      await other.configure(this.configuration({ import: this.id }));
      const up = await other.up();
      expectSuccess(up, "pulumi up with the option import");
      // The host of dynamic resources imports with a create that sends no request.
      expect(/^(import|create) agent$/.test(steps(up.events).join()), "one import, without an update", up.output);
      expect(isSame((await other.resources()).get("agent")?.id, this.id), "the same deployment", up.output);
      // The first stack destroys it.
      const urn = (await other.resources()).get("agent")?.urn ?? "";
      await other.runOrThrow("state", "delete", urn, "--yes");
    });

  private sawDuration(what: keyof typeof LONGEST_MS, begin: number): void {
    const took = Date.now() - begin;
    this.told.saw("10A.duration", took <= LONGEST_MS[what], `the ${what} took ${Math.ceil(took / 60_000)} minutes`);
  }

  destroy = () =>
    this.told.step("destroy", async () => {
      const begin = Date.now();
      const destroyed = await this.stack.destroy();
      expectSuccess(destroyed, "pulumi destroy");
      const remote = await this.remote();
      if (!ok(remote)) {
        this.sawDuration("deletion", begin);
        this.told.notSeen(GRACE, "the server no longer shows the deployment");
        return this.createAgain();
      }
      if (/delet/i.test(remote.body.status)) return this.staysForLonger();
      expect(destroyed.output.includes("does not support deletion"), "the deployment is gone", describe(remote));
      this.told.skip("the deletion of the deployment", "the server does not support it, as the destroy warned");
      this.told.notSeen("10A.deleted", "the server does not support the deletion of deployments");
    });

  /** The platform accepted the deletion and shows the deployment: it is as the destroy said. */
  private async staysForLonger(): Promise<void> {
    const created = await requestDeployment(this.told);
    this.told.saw(GRACE, created.status === 409, "the name of a deployment that is being deleted is free");
    this.told.notSeen("10A.deleted", "the server keeps a deleted deployment for longer than the run");
  }

  /** The name is free, so that a deployment can have it, which the clean-up deletes. */
  private async createAgain(): Promise<void> {
    const created = await requestDeployment(this.told);
    this.told.saw("10A.deleted", ok(created), describe(created));
  }
}
