/** A program pays only for what it uses: what each half of the built package loads, measured in a separate process. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "../../..");

/** The files that node has loaded when what this evaluates to is over. */
function loadedAfter(expression: string, variables: Record<string, string> = {}): string[] {
  const report = "console.log(JSON.stringify(Object.keys(require.cache))), process.exit()";
  const program = `Promise.resolve(${expression}).then(() => { ${report} })`;
  const output = execFileSync(process.execPath, ["-e", program], {
    ...{ cwd: root, encoding: "utf8" },
    env: { ...process.env, ...variables },
  });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

const packagesIn = (files: string[]) =>
  new Set(files.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]).filter(Boolean));

const HANDLER = `(() => {
  const { Deployment } = require("./dist/provider/index.js");
  const settings = { "agentgraph:controlPlaneUrl": "http://127.0.0.1:9", "agentgraph:apiKey": "k" };
  Deployment.configure({ config: { get: (key) => settings[key] } });
  return Deployment;
})()`;
const INPUTS = '{ source: "external_docker", name: "a", sourceRevisionConfig: { imageUri: "r/a:1" } }';

it("the SDK loads neither zod nor undici, and of the provider only files without dependencies", () => {
  const files = loadedAfter('require("./dist/sdk/nodejs/index.js")');
  const packages = packagesIn(files);
  expect(packages).toContain("@pulumi/pulumi");
  for (const name of ["zod", "undici", "dataloader"]) expect(packages).not.toContain(name);
  const ours = files.flatMap((file) => file.split("dist/provider/")[1] ?? []);
  expect(ours.sort()).toEqual([
    ...["components/agent-service.js", "definition/type-token.js", "settings/servers.js", "settings/setting-issues.js"],
    ...["text/container-id.js", "text/did-you-mean.js", "text/property-path.js"],
  ]);
});

it("the provider does not load undici for check and diff, which are all that a preview calls", () => {
  const preview = `(async (handler) => {
    await handler.check({}, ${INPUTS});
    await handler.diff("id", ${INPUTS}, { ...${INPUTS}, name: "b" });
  })(${HANDLER})`;
  const packages = packagesIn(loadedAfter(preview));
  expect(packages).toContain("zod");
  expect(packages).not.toContain("undici");
});

it("the provider loads undici with its first request", () => {
  const read = `${HANDLER}.read("id", ${INPUTS})`;
  const begun = `(${read}.catch(() => {}), new Promise(setImmediate))`;
  expect(packagesIn(loadedAfter(begun))).toContain("undici");
});

it("neither the provider nor a function loads anything of traces unless the engine asks for one", () => {
  const read = `${HANDLER}.read("id", ${INPUTS})`;
  const call = 'require("./dist/provider/functions").functionsOfProgram()';
  const begun = `(${read}.catch(() => {}), ${call}, new Promise(setImmediate))`;
  const tracingFiles = (variables: Record<string, string>) =>
    loadedAfter(begun, variables).flatMap(
      (file) =>
        /telemetry\/((?:tracer|exporter|otlp)\.js)$|(@opentelemetry\/(?!api\/)[^/]+)/
          .exec(file)
          ?.slice(1)
          .filter(Boolean) ?? [],
    );
  expect(tracingFiles({})).toEqual([]);
  expect(tracingFiles({ PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT: "127.0.0.1:9" }).sort()).toEqual([
    "exporter.js",
    "tracer.js",
  ]);
});

it("the first function call loads what it needs", () => {
  const asked = '{ bearerToken: "t", controlPlaneUrl: "http://127.0.0.1:9" }';
  const files = loadedAfter(
    `(Object.entries(${asked}).forEach(([key, value]) => (process.env["AGENTGRAPH_" + key.replace(/[A-Z]/g, ` +
      `"_$&").toUpperCase()] = value)), require("./dist/sdk/nodejs/index.js").getListeners().catch(() => {}), ` +
      "new Promise(setImmediate))",
  );
  expect(packagesIn(files)).toContain("zod");
  expect(files.some((file) => file.includes("dist/provider/functions/"))).toBe(true);
});
