import { defaultTenantId } from "../../src/index";
import { postRuns, queryDatabase, run, toNdjson, uuid } from "../support/bulk-export/load-runs";
import { start } from "../support/emulator";
import { newFolder } from "../support/folder";

// @covers 1C:fields
test("a run keeps every exportable field, times to the microsecond", async () => {
  const data = newFolder();
  const client = await start({ data });
  const fullRun = {
    ...{ id: uuid(1), tenant_id: defaultTenantId, trace_id: uuid(7), parent_run_id: uuid(8) },
    ...{ parent_run_ids: [uuid(7), uuid(8)], reference_example_id: uuid(9), name: "Ünïcode 🚀" },
    ...{ run_type: "llm", status: "success", is_root: false },
    start_time: "2026-01-02T03:04:05.678901Z",
    end_time: "2026-01-02T04:04:06.000002+01:00",
    ...{ dotted_order: "anything", trace_tier: "longlived", error: "" },
    tags: ["a", 'b"'],
    inputs: { q: [1, null, "\u2028"] },
    outputs: "text",
    extra: { metadata: { a: 1 } },
    events: [{ name: "new" }],
    feedback_stats: { score: { n: 1 } },
    ...{ total_tokens: 7, prompt_tokens: 3, completion_tokens: 4 },
    ...{ total_cost: 0.5, prompt_cost: 0.25, completion_cost: 0.125 },
    first_token_time: "2026-01-02",
  };
  const response = await postRuns(client, toNdjson([fullRun]));
  expect(response).toMatchObject({ status: 201, body: { name: "agent", runs: 1 } });
  const { session_id } = response.body as unknown as { session_id: string };
  const second = Date.UTC(2026, 0, 2, 3, 4, 5) * 1000;
  expect(queryDatabase(data)).toEqual([
    {
      ...fullRun,
      seq: 1,
      session_id,
      is_root: 0,
      start_time: second + 678_901,
      end_time: second + 1_000_002,
      first_token_time: Date.UTC(2026, 0, 2) * 1000,
      parent_run_ids: JSON.stringify(fullRun.parent_run_ids),
      tags: JSON.stringify(fullRun.tags),
      inputs: JSON.stringify(fullRun.inputs),
      outputs: '"text"',
      extra: JSON.stringify(fullRun.extra),
      events: JSON.stringify(fullRun.events),
      feedback_stats: JSON.stringify(fullRun.feedback_stats),
    },
  ]);
});

// @covers 2C.Exportable fields.Identifiers and hierarchy
test("absent fields of a run are derived: the position in the trace, the status and the totals", async () => {
  const data = newFolder();
  const client = await start({ data });
  const path = [6, 5, 4].map((number) => `x${uuid(number)}`).join(".");
  await client.emulator.loadRuns({ project: "agent" }, [
    run(1, { prompt_tokens: 2, completion_tokens: 3, prompt_cost: 0.5, completion_cost: 0.25, end_time: "2026-01-03" }),
    run(2, { parent_run_id: uuid(1), error: "Timeout" }),
    run(3, { parent_run_id: uuid(2), tags: null }),
    run(4, { parent_run_id: uuid(5), dotted_order: path }),
  ]);
  const none = [null, null, null];
  const segment = (number: number) => `20260102T030405678901Z${uuid(number)}`;
  const columns =
    "id, trace_id, is_root, status, run_type, dotted_order, parent_run_ids, total_tokens, total_cost, tags";
  expect(queryDatabase(data, `SELECT ${columns} FROM runs ORDER BY id`).map((row) => Object.values(row))).toEqual([
    [uuid(1), uuid(1), 1, "success", "chain", segment(1), "[]", 5, 0.75, null],
    [uuid(2), uuid(1), 0, "error", "chain", `${segment(1)}.${segment(2)}`, `["${uuid(1)}"]`, null, null, null],
    [
      uuid(3),
      uuid(1),
      0,
      "pending",
      "chain",
      [1, 2, 3].map(segment).join("."),
      JSON.stringify([1, 2].map(uuid)),
      ...none,
    ],
    [uuid(4), uuid(6), 0, "pending", "chain", path, JSON.stringify([6, 5].map(uuid)), ...none],
  ]);
});

// @covers 2C.Exportable fields.Tags and feedback:values
test("feedback_stats counts entries, averages scores, and breaks down only values that are text", async () => {
  const data = newFolder();
  const client = await start({ data });
  const feedback = [
    { key: "score", score: 1 },
    { key: "score", score: false, value: 7 },
    { key: "tone", value: "kind" },
    { key: "tone", value: "kind" },
    { key: "tone", value: { not: "text" } },
    { key: "__proto__", value: "__proto__" },
  ];
  await client.emulator.loadRuns({ project: "agent" }, [run(1, { feedback }), run(2, { feedback: [] })]);
  const [first, second] = queryDatabase(data);
  expect(first?.feedback_stats).toBe(
    '{"score":{"n":2,"avg":0.5,"values":{}},"tone":{"n":3,"avg":null,"values":{"kind":2}},' +
      '"__proto__":{"n":1,"avg":null,"values":{"__proto__":1}}}',
  );
  expect(second?.feedback_stats).toBeNull();
});

test("lines may be split across chunks and end in LF or CRLF, and the last line needs no line end", async () => {
  const data = newFolder();
  const client = await start({ data });
  const text = `${JSON.stringify(run(1, { name: "🚀ü" }))}\r\n \n${JSON.stringify(run(2, { name: "é" }))}`;
  async function* body() {
    for (const byte of Buffer.from(text)) yield Buffer.from([byte]);
  }
  const init = { method: "POST", body: ReadableStream.from(body()), duplex: "half" as const };
  expect((await fetch(`${client.emulator.urls.admin}/runs?project=agent`, init)).status).toBe(201);
  expect(queryDatabase(data)).toMatchObject([{ name: "🚀ü" }, { name: "é" }]);
});

test("a project is identified by its name or its ID within a workspace", async () => {
  const data = newFolder();
  const client = await start({ data });
  const { session_id } = await client.emulator.loadRuns({ project: "agent" }, [run(1)]);
  expect((await client.emulator.loadRuns({ project: session_id }, [run(2)])).session_id).toBe(session_id);
  expect((await client.emulator.loadRuns({ project: "agent" }, [run(3, { session_id })])).session_id).toBe(session_id);
  const other = { project: "agent", tenant_id: uuid(5) };
  expect((await client.emulator.loadRuns(other, [run(1)])).session_id).not.toBe(session_id);

  const otherWorkspace = client.emulator.loadRuns({ ...other, project: session_id }, []);
  await expect(otherWorkspace).rejects.toThrow(`No project with ID ${session_id} exists in this workspace`);
  const experiment = client.emulator.loadRuns({ project: "agent", reference_dataset_id: uuid(6) }, []);
  await expect(experiment).rejects.toThrow("The project agent has a different reference_dataset_id (none)");
  await expect(client.emulator.loadRuns({ project: "agent" }, [run(4), run(1)])).rejects.toThrow(
    `runs[1]: id: run ${uuid(1)} already exists`,
  );
  expect(queryDatabase(data)).toHaveLength(4);
  expect((await postRuns(client, toNdjson([run(1)]), "")).body.detail).toMatchObject([
    { type: "missing", loc: ["query", "project"] },
  ]);
});
