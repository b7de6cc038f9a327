/**
 * What one `pulumi up` with resources and functions of both hosts shows of its requests: a trace, a request log, and
 * debug lines.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { succeeds } from "../support/cli/cli";
import { readTraces, type Span } from "../support/cli/trace-file";
import { IMAGE } from "../support/programs/program";
import { API_KEY, World } from "../support/world";

const world = new World();
const SECRET = "a-model-key-that-no-trace-contains";

const attribute = ({ attributes }: Span, name: string) => attributes.find(({ key }) => key === name)?.value.stringValue;

test("A trace has the spans of the native provider below the engine, all attempts, and no secret", async () => {
  const stack = await world.stack({ project: "traces" });
  await stack.program.usePlugin();
  const image = { source: "external_docker", sourceRevisionConfig: { imageUri: IMAGE } };
  const inputs = JSON.stringify({ ...image, secrets: { KEY: SECRET } });
  await stack.program.write(`const native = require("pulumi-agentgraph/native");
    new agentgraph.Deployment("dynamic", ${inputs});
    new native.Deployment("native", ${inputs});
    const count = async ({ getListeners }) => (await getListeners()).length;
    exports.counts = Promise.all([agentgraph, native].map(count));`);
  await world.emulator.faults.add({ method: "POST", path: "/v2/deployments", times: 1, status: 429, body: {} });
  const folder = await world.createFolder("traces");
  const [file, log] = [join(folder, "traces.json"), join(folder, "requests.jsonl")];
  stack.env = { ...stack.env, AGENTGRAPH_REQUEST_LOG: log };
  const run = await succeeds(stack.up("--debug", "--otel-traces", pathToFileURL(file).href));

  const { ours, others } = await readTraces(file);
  const byId = new Map([...others, ...ours].map((span) => [span.spanId, span]));
  const rootOf = (span: Span): Span => {
    const parent = byId.get(span.parentSpanId);
    return parent ? rootOf(parent) : span;
  };
  const creates = ours.filter(({ name }) => name === "Deployment create");
  const roots = new Map(creates.map((span) => [attribute(span, "pulumi.urn")?.split("::").at(-1), rootOf(span).name]));
  expect(roots).toEqual(
    new Map([
      ["dynamic", "Deployment create"],
      ["native", "pulumi"],
    ]),
  );
  expect(
    ours
      .filter(({ name }) => name === "getListeners")
      .map((span) => rootOf(span).name)
      .sort(),
  ).toEqual(["getListeners", "pulumi"]);
  expect(new Set(creates.map((span) => attribute(span, "agentgraph.run")))).toEqual(
    new Set([expect.stringMatching(/^127\.0\.0\.1:\d+$/)]),
  );
  const methods = world.emulator.requestLog
    .entries()
    .map(({ method }) => method)
    .sort();
  const attempts = ours.filter(({ kind }) => kind === 3).map(({ name }) => name.split(" ")[0]);
  expect(attempts.sort()).toEqual(methods);
  const logged = await readFile(log, "utf8");
  const lines = logged
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ method }) => method).sort()).toEqual(methods);
  expect(run.output).toMatch(/^ +(debug: )?POST \S+\/v2\/deployments 429 in \d+ ms, request ID \d+/m);
  expect(ours.map(({ name }) => name)).toContain("wait for rate limit");
  for (const secret of [SECRET, API_KEY]) expect(`${JSON.stringify(ours)}${logged}`).not.toContain(secret);
});
