import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { start } from "../../support/emulator";
import { newFolder } from "../../support/folder";

function query(folder: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, "emulator.sqlite"), { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
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

test("--demo creates an assistant of two versions beside the default ones, and a cron that runs every night", async () => {
  const data = newFolder();
  const client = await start({ data, demo: true });
  const own =
    "SELECT a.version, c.schedule FROM assistants a LEFT JOIN crons c ON c.assistant = a.seq WHERE a.metadata NOT LIKE '%system%'";
  expect(query(data, own).map((row) => ({ ...row }))).toEqual([{ version: 2, schedule: "0 3 * * *" }]);
  const now = Date.parse(client.emulator.clock.read().now);
  await client.advance(25 * 3_600_000);
  expect(count(data, `is_root AND start_time > ${now * 1000}`)).toBe(1);
  const javascript = newFolder();
  await start({ data: javascript, demo: true, agentServer: "javascript" });
  expect(query(javascript, own).map((row) => ({ ...row }))).toEqual([{ version: 2, schedule: null }]);
});

test("--demo creates the same data every time, and only once per folder", async () => {
  const folders = [newFolder(), newFolder()];
  const [first, second] = await Promise.all(folders.map((data) => start({ data, demo: true })));
  const sql =
    "SELECT id, session_id, name, status, total_tokens, tags, feedback_stats FROM runs WHERE session_id IN (SELECT id FROM projects WHERE reference_dataset_id IS NOT NULL) ORDER BY seq";
  const [one = "", other = ""] = folders;
  expect(query(one, sql)).toEqual(query(other, sql));
  const before = count(one, "true");
  await first?.emulator.stop();
  await start({ data: one, demo: true });
  expect(count(one, "true")).toBe(before);
  await second?.emulator.reset();
  expect(count(other, "true")).toBe(before);
});
