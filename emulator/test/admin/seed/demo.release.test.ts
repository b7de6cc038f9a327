import type { EmulatorOptions } from "../../../src/index";
import { queryDatabase as query } from "../../support/bulk-export/load-runs";
import { start } from "../../support/emulator";
import { newFolder } from "../../support/folder";

interface Revision {
  status: string;
  created_at: string;
  status_history: { status: string; at: string }[];
  source_revision_config: Record<string, unknown>;
}

interface Thread {
  status: string;
  values: { messages: { type: string }[] };
  interrupts: Record<string, unknown[]>;
}

const count = (folder: string, condition: string) =>
  Number(query(folder, `SELECT count(*) AS count FROM runs WHERE ${condition}`)[0]?.count);

test("--demo creates deployments, their traces of the last days, and an experiment", async () => {
  const data = newFolder();
  const client = await start({ data, demo: true });
  const { resources } = (await client.get("/v2/deployments")).body;
  expect(resources.map(({ name, status }) => [name, status])).toEqual([
    ["invoice-agent", "READY"],
    ["research-agent", "READY"],
    ["support-agent", "READY"],
  ]);
  const projects = query(data, "SELECT name FROM projects WHERE reference_dataset_id IS NULL ORDER BY name");
  expect(projects.map(({ name }) => name)).toEqual(["invoice-agent", "research-agent", "support-agent"]);
  expect(query(data, "SELECT name FROM projects WHERE reference_dataset_id IS NOT NULL")).toHaveLength(1);

  const all = count(data, "true");
  expect(all).toBeGreaterThan(2500);
  const now = Date.parse(client.emulator.clock.read().now) * 1000;
  expect(count(data, `start_time > ${now - 8 * 86_400e6} AND end_time < ${now}`)).toBe(all);
  expect(count(data, "status = 'error' AND is_root")).toBeGreaterThan(20);
  expect(count(data, "status = 'error'")).toBeLessThan(all / 5);
  for (const type of ["chain", "llm", "tool", "retriever"])
    expect(count(data, `run_type = '${type}'`)).toBeGreaterThan(100);
  expect(
    count(data, "run_type = 'llm' AND (total_tokens IS NULL OR total_cost IS NULL OR first_token_time IS NULL)"),
  ).toBe(0);
  expect(count(data, "feedback_stats IS NOT NULL AND reference_example_id IS NULL")).toBeGreaterThan(50);
  expect(count(data, "reference_example_id IS NOT NULL")).toBe(40);
  const outside = `SELECT 1 FROM runs AS child JOIN runs AS parent ON parent.id = child.parent_run_id
    WHERE child.start_time < parent.start_time OR child.end_time > parent.end_time
      OR child.trace_id <> parent.trace_id OR child.dotted_order NOT LIKE parent.dotted_order || '.%'`;
  expect(query(data, outside)).toEqual([]);
});

const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

test("--demo shows updates that failed, and of threads of which one awaits a decision and one failed", async () => {
  const client = await start({ demo: true });
  const [invoice, research, support] = (await client.get("/v2/deployments")).body.resources;
  const statuses = async (id = "") => {
    const { body } = await client.admin("GET", `/deployments/${id}`);
    const { revisions } = body as unknown as { revisions: Revision[] };
    return revisions.map((revision) => {
      const { status, status_history, source_revision_config, created_at } = revision;
      const times = status_history.map(({ at }) => Date.parse(at));
      expect(times).toEqual([...times].sort((one, other) => one - other));
      expect(status_history[0]?.at).toBe(created_at);
      expect(status_history.at(-1)?.status).toBe(status);
      return `${String(source_revision_config.image_uri).split(":").at(-1)} ${status}`;
    });
  };
  expect(await statuses(support?.id)).toEqual(["1.8.2 DEPLOYED", "1.8.1 DEPLOY_FAILED", "1.8.0 DEPLOYED"]);
  expect(await statuses(research?.id)).toEqual(["0.4.0 DEPLOYED", "0.3.5 DEPLOYED"]);
  expect(await statuses(invoice?.id)).toEqual(["0.1.0 DEPLOY_FAILED"]);
  expect(support?.active_revision_id).toBe(support?.latest_revision_id);
  expect(invoice?.active_revision_id).toBeNull();
  const lines = async (name: string) => {
    const { body } = await client.admin("GET", `/logs?deployment=${name}`);
    return (body as unknown as { lines: { time: string; level: string; message: string }[] }).lines;
  };
  const all = [...(await lines("invoice-agent")), ...(await lines("support-agent"))];
  const errors = all.filter(({ level }) => level === "ERROR");
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining("The repository has the tags 0.1.0-rc1 and 0.1.0-rc2"),
    expect.stringContaining("KeyError: 'ORDERS_API_KEY'"),
    expect.stringContaining("ORDERS_API_KEY is not set"),
  ]);
  expect((await lines("support-agent")).at(-1)?.message).toBe("Deployed registry.example/support-agent:1.8.2");
  expect(names(support?.secrets ?? [])).toEqual(["MODEL_API_KEY", "ORDERS_API_KEY"]);

  const threads = await Promise.all(
    [research, support].map(async (deployment) => {
      const found = (await client.post(`/agents/${deployment?.id}/threads/search`, {})).body as unknown as Thread[];
      return found.map(({ status, values, interrupts }) => {
        return [status, values.messages.map(({ type }) => type).join(" "), Object.values(interrupts).flat().length];
      });
    }),
  );
  expect(threads).toEqual([
    [
      ["error", "human ai human", 0],
      ["idle", "human ai human ai", 0],
    ],
    [
      ["interrupted", "human ai human", 1],
      ["idle", "human ai human ai human ai", 0],
      ["idle", "human ai human ai", 0],
    ],
  ]);
});

test.each<[EmulatorOptions, Record<string, number>]>([
  [
    { interfaceOnly: true, appVersion: "0.10.1" },
    { assistants: 0, crons: 0, exports: 1 },
  ],
  [
    { strict: true, agentServer: "javascript", plan: "developer" },
    { crons: 0, destinations: 0, exports: 0 },
  ],
])("--demo leaves out what does not exist with %j", async (options, absent) => {
  const data = newFolder();
  await start({ data, demo: true, ...options });
  const conditions: Record<string, string> = {
    assistants: "metadata NOT LIKE '%system%'",
    exports: "source_bulk_export_id IS NULL",
  };
  const everything = { deployments: 3, threads: 5, assistants: 1, crons: 1, destinations: 1, exports: 2 };
  const counts = Object.keys(everything).map((table) => [
    table,
    Number(query(data, `SELECT count(*) AS count FROM ${table} WHERE ${conditions[table] ?? "true"}`)[0]?.count),
  ]);
  expect(Object.fromEntries(counts)).toEqual({ ...everything, ...absent });
});

test("--demo creates an assistant of two versions beside the default ones, and a nightly cron", async () => {
  const data = newFolder();
  const client = await start({ data, demo: true });
  const own = `SELECT a.version, c.schedule FROM assistants a LEFT JOIN crons c ON c.assistant = a.seq
    WHERE a.metadata NOT LIKE '%system%'`;
  expect(query(data, own).map((row) => ({ ...row }))).toEqual([{ version: 2, schedule: "0 3 * * *" }]);
  const now = Date.parse(client.emulator.clock.read().now);
  await client.advance(24 * 3_600_000);
  expect(count(data, `is_root AND start_time > ${now * 1000}`)).toBe(1);
});

test("--demo creates the same data every time, only once per folder, and exports to the present bucket", async () => {
  const folders = [newFolder(), newFolder()];
  const [first] = await Promise.all(folders.map((data) => start({ data, demo: true })));
  const sql = `SELECT id, session_id, name, status, total_tokens, tags, feedback_stats FROM runs
    WHERE session_id IN (SELECT id FROM projects WHERE reference_dataset_id IS NOT NULL) ORDER BY seq`;
  const [one = "", other = ""] = folders;
  expect(query(one, sql)).toEqual(query(other, sql));
  const before = count(one, "true");
  await first?.emulator.stop();
  const { emulator } = await start({ data: one, demo: true });
  expect(count(one, "true")).toBe(before);
  expect(emulator.bucket.url).not.toBe(first?.emulator.bucket.url);
  const destinations = query(one, "SELECT config ->> 'endpoint_url' AS url FROM destinations");
  expect(destinations.map(({ url }) => url)).toEqual([emulator.bucket.url]);
});

test("--demo exports traces to the bucket soon after the start and after a reset, and then every night", async () => {
  const data = newFolder();
  const client = await start({ data, demo: true, speed: 1 });
  const all = count(data, "true");
  const exports = () =>
    query(data, "SELECT count(*) AS count, status FROM exports GROUP BY status").map((row) => ({ ...row }));
  const files = () => query(data, "SELECT key FROM bucket_objects WHERE key LIKE '%.parquet'").length;
  for (const repeat of [false, true]) {
    if (repeat) await client.emulator.reset();
    expect(count(data, "true")).toBe(all);
    // An export of a day follows ten minutes after its end.
    await client.advance(24 * 3_600_000 + 600_000);
    // A week, the two days before the start, and the day of the start.
    expect(exports()).toEqual([
      { count: 4, status: "COMPLETED" },
      { count: 1, status: "INTERVAL_SCHEDULED" },
    ]);
    expect(files()).toBeGreaterThanOrEqual(9);
  }
});
