import { cpSync } from "node:fs";
import { postRuns, queryDatabase, run, toNdjson, uuid } from "../support/bulk-export/load-runs";
import { start } from "../support/emulator";
import { newFolder } from "../support/folder";

test("an invalid line rolls back the batches that were stored before it", async () => {
  const data = newFolder();
  const client = await start({ data });
  await client.emulator.loadRuns({ project: "agent" }, [run(1, { feedback: [{ key: "a" }] })]);
  const many = Array.from({ length: 5000 }, (_, index) => run(index + 2, { feedback: [{ key: "a" }] }));
  const response = await postRuns(client, `${toNdjson(many)}{}\n`);
  expect(response).toMatchObject({ status: 422, body: { detail: "line 5001: name is required" } });
  expect(queryDatabase(data)).toHaveLength(1);
  expect(queryDatabase(data, "SELECT * FROM feedback")).toHaveLength(1);
  expect(await postRuns(client, toNdjson(many))).toMatchObject({ status: 201, body: { runs: 5000 } });
  expect(queryDatabase(data)).toHaveLength(5001);
});

test("a load does not block other requests, and the next start rolls back a load that was killed", async () => {
  const data = newFolder();
  const client = await start({ data });
  await client.emulator.loadRuns({ project: "agent" }, [run(1)]);
  const { promise: paused, resolve: resume } = Promise.withResolvers<void>();
  async function* body() {
    for (let number = 2; number <= 2501; number++) yield Buffer.from(toNdjson([run(number)]));
    await paused;
    yield Buffer.from("this line is not JSON\n");
  }
  const init = { method: "POST", body: ReadableStream.from(body()), duplex: "half" as const };
  const response = fetch(`${client.emulator.urls.admin}/runs?project=new`, init);
  while (queryDatabase(data, "SELECT count(*) AS count FROM runs")[0]?.count === 1)
    await client.admin("GET", "/health");

  const copy = newFolder();
  cpSync(data, copy, { recursive: true });
  expect(queryDatabase(copy)).toHaveLength(2001);
  await start({ data: copy });
  expect(queryDatabase(copy)).toMatchObject([{ id: uuid(1) }]);
  expect(queryDatabase(copy, "SELECT name FROM projects")).toEqual([{ name: "agent" }]);

  resume();
  expect((await response).status).toBe(422);
  expect(queryDatabase(data)).toMatchObject([{ id: uuid(1) }]);
});

test("a load is rolled back if its client disconnects or the emulator stops", async () => {
  const data = newFolder();
  const client = await start({ data });
  async function* body(first: number) {
    for (let number = first; number < first + 2000; number++) yield Buffer.from(toNdjson([run(number)]));
    await new Promise(() => {});
  }
  const load = (first: number, signal: AbortSignal) => {
    const init = { method: "POST", body: ReadableStream.from(body(first)), duplex: "half" as const, signal };
    return fetch(`${client.emulator.urls.admin}/runs?project=agent`, init).catch(() => "cut off");
  };
  const count = () => queryDatabase(data, "SELECT count(*) AS count FROM runs")[0]?.count;
  const abortController = new AbortController();
  const first = load(1, abortController.signal);
  while (count() === 0) await client.admin("GET", "/health");
  abortController.abort();
  expect(await first).toBe("cut off");
  while (count() !== 0) await client.admin("GET", "/health");

  const second = load(1, new AbortController().signal);
  while (count() === 0) await client.admin("GET", "/health");
  await client.emulator.stop();
  expect(await second).toBe("cut off");
  await start({ data });
  expect(queryDatabase(data)).toEqual([]);
});

test("a reset deletes projects and runs, and a load in progress does not restore them", async () => {
  const data = newFolder();
  const client = await start({ data });
  async function* body() {
    for (let number = 1; number <= 2000; number++) yield Buffer.from(toNdjson([run(number)]));
    while (queryDatabase(data).length === 0) await client.admin("GET", "/health");
    await client.emulator.reset();
    yield Buffer.from(toNdjson([run(2001)]));
  }
  const init = { method: "POST", body: ReadableStream.from(body()), duplex: "half" as const };
  const response = await fetch(`${client.emulator.urls.admin}/runs?project=agent`, init);
  expect(response.status).toBe(409);
  expect(await response.json()).toEqual({
    detail: "The project agent was deleted while runs were being loaded into it",
  });
  for (const table of ["runs", "projects"]) expect(queryDatabase(data, `SELECT * FROM ${table}`)).toEqual([]);
});
