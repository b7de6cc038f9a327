/** A destination, a one-time export whose files are read back, and a schedule that is cancelled. */
import { join } from "node:path";
import { steps } from "../engine/events.ts";
import type { Stack } from "../engine/stack.ts";
import { countRows, listObjects, removeObjects } from "../target/bucket.ts";
import { describe, ok } from "../target/http.ts";
import { expect, expectSteps, expectSuccess, type Run, type Story, type Told } from "./story.ts";

const HOUR_MS = 3_600_000;
/** Active schedules of a workspace, above which the platform refuses another one. */
const MAX_SCHEDULES = 200;

export const exportLife: Story = {
  name: "exports",
  group: "exports",
  lacks: ({ server, options }) => {
    if (!server.tracing) return "no AGENTGRAPH_TRACING_API_URL";
    if (!server.bucket) return "--bucket was not given";
    return options.project ? undefined : "--project was not given";
  },
  looksAt: ["10C.quota", "10C.path"],
  creates: () => ({ text: "1 destination, 1 export and 1 schedule, which is cancelled", deployments: 0, rollouts: 1 }),
  tell: async (told) => {
    const life = new Life(told, await told.stack("exports"));
    await life.create();
    await life.readFiles();
    await life.noChange();
    await life.reachQuota();
    await life.cancel();
    await life.destroy();
  },
};

class Life {
  private readonly told: Told;
  private readonly stack: Stack;
  private readonly range: { startTime: string; endTime: string };

  constructor(told: Told, stack: Stack) {
    this.told = told;
    this.stack = stack;
    const end = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const timestamp = (time: number) => new Date(time).toISOString().replace(".000", "");
    this.range = { startTime: timestamp(end - 24 * HOUR_MS), endTime: timestamp(end) };
    const { bucket } = told.run.server;
    if (bucket) told.lastly.push(() => removeObjects(bucket, this.prefix));
  }

  private get run(): Run {
    return this.told.run;
  }

  /** Of everything that the story writes to the bucket. */
  private get prefix(): string {
    return this.told.name;
  }

  private configure(schedules: readonly string[]): Promise<void> {
    const { bucket } = this.run.server;
    const place = bucket?.endpoint ? { endpointUrl: bucket.endpoint } : { region: bucket?.region };
    return this.stack.configure({
      ...{ name: this.told.name, project: this.run.options.project, range: this.range, schedules },
      ...{ bucket: { bucketName: bucket?.name, prefix: this.prefix, ...place } },
      timeout: `${this.run.options.timeoutMinutes}m`,
    });
  }

  private async status(id: string | undefined): Promise<string> {
    const reply = await this.run.server.tracing?.get(`/api/v1/bulk-exports/${id}`);
    return String(reply?.body?.status).toUpperCase();
  }

  create = () =>
    this.told.step("create a destination, an export and a schedule", async () => {
      await this.configure(["daily"]);
      const up = await this.stack.up();
      expectSuccess(up, "pulumi up");
      expectSteps(steps(up.events), ["create destination", "create once", "create daily"], up.output);
      const resources = await this.stack.resources();
      const status = await this.status(resources.get("once")?.id);
      expect(status === "COMPLETED", "the export has completed", status);
      const scheduled = await this.status(resources.get("daily")?.id);
      expect(!/COMPLETED|CANCELLED|FAILED/.test(scheduled), "the schedule is active", scheduled);
    });

  readFiles = () =>
    this.told.step("read the files of the export from the bucket", async () => {
      const { bucket } = this.run.server;
      if (!bucket) return;
      const id = String((await this.stack.resources()).get("once")?.id);
      const keys = await listObjects(bucket, `${this.prefix}/`);
      const files = keys.filter((key) => key.endsWith(".parquet"));
      const strange = files.filter((key) => !key.toLowerCase().includes(`/export_id=${id.toLowerCase()}/tenant_id=`));
      this.told.saw("2C.Output layout", strange.length === 0, strange[0] ?? "");
      const rows = await countRows(bucket, files, join(this.run.folder, `${this.told.name}-files`));
      const { rows: written, filePrefix } = await this.stack.outputs();
      const outside = files.find((key) => !key.startsWith(String(filePrefix)));
      if (filePrefix === undefined) this.told.notSeen("10C.path", "the server does not list the runs of an export");
      else this.told.saw("10C.path", outside === undefined, `${outside} is not below ${filePrefix}`);
      if (written === undefined) this.told.skip("the number of rows", "the server does not list the runs of an export");
      else expect(rows === written, `the files contain ${written} rows`, `${rows} rows in ${files.join(", ")}`);
      if (rows === 0) this.told.skip("the contents of files", "the project has no traces of the last day");
    });

  noChange = () =>
    this.told.step("preview without changes", async () => {
      const preview = await this.stack.preview("--refresh", "--expect-no-changes");
      expectSuccess(preview, "pulumi preview --refresh --expect-no-changes");
    });

  /** Only where it costs nothing: it fills the workspace with schedules. */
  reachQuota = async () => {
    const { server, options } = this.run;
    const why = options.interfaceOnly ? "the server cannot cancel schedules" : "it would use up the quota";
    if (server.kind !== "emulator" || options.interfaceOnly) {
      this.told.notSeen("10C.quota", why);
      return this.told.skip("the message of the quota", why);
    }
    await this.told.step("a schedule above the quota", async () => {
      const ids = await this.fillQuota();
      await this.configure(["daily", "one-too-many"]);
      const up = await this.stack.up();
      expect(up.code !== 0, "pulumi up fails above the quota", up.output);
      expect(/429[\s\S]*[Cc]ancel/.test(up.output), "the error says to cancel a schedule", up.output);
      await this.sawOtherExport();
      for (const id of ids) await server.tracing?.patch(`/api/v1/bulk-exports/${id}`, { status: "Cancelled" });
    });
  };

  /** At the limit of schedules, an export that is none can still be created. */
  private async sawOtherExport(): Promise<void> {
    const { destination } = await this.stack.outputs();
    const { startTime: start_time, endTime: end_time } = this.range;
    const reply = await this.run.server.tracing?.post("/api/v1/bulk-exports", {
      ...{ bulk_export_destination_id: destination, session_id: this.run.options.project, start_time, end_time },
    });
    this.told.saw("10C.quota", reply && ok(reply), reply && describe(reply));
  }

  private async fillQuota(): Promise<string[]> {
    const { destination } = (await this.stack.outputs()) as { destination: string };
    const ids: string[] = [];
    for (let number = 1; number < MAX_SCHEDULES; number++) {
      const reply = await this.run.server.tracing?.post("/api/v1/bulk-exports", {
        ...{ bulk_export_destination_id: destination, session_id: this.run.options.project },
        ...{ start_time: "2100-01-01T00:00:00Z", interval_hours: 24, filter: `eq(name, "${number}")` },
      });
      expect(reply && ok(reply), "a schedule is created", reply && describe(reply));
      ids.push(reply.body.id);
    }
    return ids;
  }

  cancel = () =>
    this.told.step("cancel the schedule", async () => {
      const id = (await this.stack.resources()).get("daily")?.id;
      await this.configure([]);
      const up = await this.stack.up();
      expectSuccess(up, "pulumi up");
      const status = await this.status(id);
      if (up.output.includes("does not support cancellation"))
        return this.told.skip("the cancellation of a schedule", "the server does not support it, as the update warned");
      expect(status === "CANCELLED", "the schedule is cancelled", status);
    });

  destroy = () =>
    this.told.step("destroy", async () => {
      const destroyed = await this.stack.destroy();
      expectSuccess(destroyed, "pulumi destroy");
      expect(destroyed.output.includes("stays on the server"), "the destroy says what stays", destroyed.output);
    });
}
