/**
 * DuckDB with one thread: makes trace runs, and writes the same rows as an export of the emulator to compare the speed.
 */
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

const WORDS =
  "the customer asks where the order is that was placed last week and shipped late please check status and " +
  "reply politely with the policy that applies in this region search result weather price ticket flight hotel " +
  "invoice address";

/** Random, but the same in each call: texts of 200 to 450 characters, and UUIDs. */
const MACROS = `
CREATE MACRO chosen(n, choices) AS (hash(n) % choices)::INTEGER;
CREATE MACRO words(n) AS array_to_string(
  list_transform(range(36 + chosen(n, 42)), place -> split('${WORDS}', ' ')[1 + chosen(n * 100 + place, 36)]), ' ');
CREATE MACRO uuid_of(n) AS regexp_replace(md5(n::VARCHAR), '(.{8})(.{4}).(.{3}).(.{3})(.{12})', '\\1-\\2-4\\3-a\\4-\\5');
CREATE MACRO iso(ms) AS strftime(make_timestamp(ms * 1000), '%Y-%m-%dT%H:%M:%S.%gZ');
CREATE MACRO segment(ms, id) AS strftime(make_timestamp(ms * 1000), '%Y%m%dT%H%M%S%gZ') || id;`;

/** Five runs in each trace, one in thirty of which failed, evenly distributed over the days. */
const runs = (count: number, begin: number, days: number) => `
WITH numbered AS (
  SELECT i, i % 5 AS place, uuid_of(i) AS id, uuid_of(i - i % 5) AS root, chosen(i, 30) = 0 AS failed,
    ${begin} + i * ${days * 86_400_000} // ${count} AS start,
    ['chain', 'retriever', 'llm', 'tool', 'llm'][place + 1] AS run_type, run_type = 'llm' AS is_llm
  FROM range(${count}) AS numbers(i))
SELECT id, root AS trace_id, run_type, ['agent', 'retriever', 'ChatModel', 'search', 'summarize'][place + 1] AS name,
  iso(start) AS start_time, iso(start + 1 + chosen(i, 5000)) AS end_time,
  CASE WHEN place > 0 THEN root END AS parent_run_id, CASE WHEN place > 0 THEN [root] ELSE [] END AS parent_run_ids,
  CASE WHEN place > 0 THEN segment(start, root) || '.' || segment(start, id) ELSE segment(start, id) END AS dotted_order,
  {messages: [{role: 'user', content: words(i), id: uuid_of(-i)}]} AS inputs,
  CASE WHEN NOT failed THEN {message: {role: 'assistant', content: words(-i), tokens: chosen(i, 1000)}} END AS outputs,
  CASE WHEN failed THEN 'ValueError: ' || words(-i)[:60] END AS error,
  {metadata: {thread_id: root, revision: 'v' || chosen(i, 9)}, runtime: {sdk: 'py', version: '0.3.1'}} AS extra,
  CASE WHEN is_llm THEN [{name: 'start', time: iso(start)}, {name: 'end', time: iso(start + 900)}] END AS events,
  CASE WHEN chosen(i, 3) > 0 THEN ['production'] END AS tags,
  CASE WHEN is_llm THEN chosen(i, 2000) END AS prompt_tokens, CASE WHEN is_llm THEN chosen(i, 500) END AS completion_tokens,
  prompt_tokens * 3e-6 AS prompt_cost, completion_tokens * 15e-6 AS completion_cost,
  CASE WHEN is_llm THEN iso(start + 300) END AS first_token_time
FROM numbered`;

/** Opens a database in a folder. */
export async function openDuckDb(folder: string) {
  const instance = await DuckDBInstance.create(join(folder, "runs.duckdb"), { threads: "1" });
  const connection = await instance.connect();
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
  /** Writes the rows of a query to a file. Returns the seconds. */
  const copy = async (query: string, file: string, options: string) => {
    const begin = performance.now();
    await connection.run(`COPY (${query}) TO '${join(folder, file)}' (${options})`);
    return (performance.now() - begin) / 1000;
  };
  await connection.run(MACROS);
  return {
    /** Writes runs as lines of JSON. */
    makeRuns: (file: string, count: number, begin: number, days: number) =>
      copy(runs(count, begin, days), file, "FORMAT json"),
    /** Loads the rows of Parquet files into a table. Returns their number and the names of the columns. */
    load: async (files: string) => {
      await connection.run(`CREATE TABLE runs AS SELECT * FROM read_parquet('${files}')`);
      const [[count] = []] = await rows("SELECT count(*)::INTEGER FROM runs");
      return { count, columns: (await rows("DESCRIBE runs")).map(([name]) => String(name)) };
    },
    /** Writes these columns of the table to a Parquet file. Returns the seconds. */
    export: (columns: string) =>
      copy(`SELECT ${columns} FROM runs`, "duck.parquet", "FORMAT parquet, COMPRESSION zstd"),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
