/** The generated program compiles and has the right values, whatever names and values the server returns. */
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { printValue } from "../../../../cli/adopt/program/code/typescript-code";
import { declareAll } from "../../../../cli/adopt/program/declarations";
import { formatDynamicImportFile } from "../../../../cli/adopt/program/import-file";
import { Names } from "../../../../cli/adopt/program/names";
import { groupIntoServices } from "../../../../cli/adopt/program/services";
import { formatSources, typescript } from "../../../../cli/adopt/program/typescript";
import { type Adopted, type Kind, Secret } from "../../../../cli/adopt/types";
import { newFolder } from "../../../../emulator/test/support/folder";
import { forAll } from "../../../../emulator/test/support/for-all";
import { UNKNOWN_SECRET } from "../../../../provider/schema/mapping";
import { isComplete, runs } from "../../../support/run/runs";
import { adopted, inputsOf, kind, text, value } from "../../support/adopted-values";

const ROOT = join(__dirname, "../../../..");
const run = promisify(execFile);

const declare = (all: readonly Adopted[]) => declareAll(all, new Names(typescript.naming));
const sourcesOf = (all: readonly Adopted[], isModule = false) => formatSources(declare(all).declarations, isModule);

test("a printed value evaluates to itself at every indentation", () => {
  fc.assert(
    fc.property(fc.oneof(text, value, fc.dictionary(text, fc.oneof(text, value))), fc.nat(90), (value, indent) => {
      const read = runInNewContext(`JSON.stringify(${printValue({ value: value }, indent)})`) as string;
      expect(JSON.parse(read)).toEqual(JSON.parse(JSON.stringify({ value: value })));
    }),
    runs(1000),
  );
});

test("keys of Object.prototype are printed as own keys", () => {
  const value: unknown = JSON.parse('{"__proto__": {"a": "b"}, "constructor": "c"}');
  expect(runInNewContext(`JSON.stringify(${printValue(value)})`)).toBe('{"__proto__":{"a":"b"},"constructor":"c"}');
});

test("names of resources, variables and secrets are valid and unique", () => {
  forAll(
    fc.array(
      fc.tuple(kind, fc.oneof(text, fc.constantFrom("agent", "Agent", "class", "config", "7", "a-b", "a.b", "aB"))),
    ),
    (titles) => {
      const all = adopted(titles, () => ({
        secrets: {
          A_B: new Secret(["secrets", "A_B"], UNKNOWN_SECRET),
          AB: new Secret(["secrets", "AB"], UNKNOWN_SECRET),
        },
      }));
      const { secrets } = declare(all);
      for (const names of [
        all.map(({ name }) => name),
        all.map(({ variable }) => variable),
        secrets.map(({ key }) => key),
      ]) {
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).toMatch(/^[\w.-]+$/);
      }
      for (const { variable } of all) runInNewContext(`"use strict"; const ${variable} = 1;`);
    },
  );
});

test("a package of ES modules gets one file, since no import extension works everywhere", () => {
  const all = adopted(
    Array.from({ length: 60 }, (_, index) => ["deployments", `agent-${index}`]),
    () => ({}),
  );
  expect(Object.keys(sourcesOf(all))).toEqual(["index.ts", "deployments.ts"]);
  const files = sourcesOf(all, true);
  expect(Object.keys(files)).toEqual(["index.ts"]);
  expect(files["index.ts"]).not.toMatch(/from "\./);
});

test("inputs are in the order of the schema, and outputs of other resources are references", () => {
  const deployment = {
    ...{ waitFor: "none", secrets: { A: "b" }, sourceRevisionConfig: { imageUri: "a:1" }, sourceConfig: {} },
    ...{ source: "external_docker", name: "agent" },
  };
  const schedule = {
    ...{ intervalHours: 24, startTime: "2026-01-01T00:00:00Z", sessionId: "project-1" },
    bulkExportDestinationId: "id-1",
  };
  const inputs = [
    deployment,
    { displayName: "traces" },
    schedule,
    { threadId: "t-1", deploymentId: "id-0" },
    { deploymentId: "id-9" },
  ];
  const kinds = ["deployments", "destinations", "schedules", "threads", "threads"];
  const all = adopted(
    kinds.map((kind, index) => [kind, `${kind}-${index}`]),
    (_kind, index) => inputs[index] ?? {},
  ).map((one) => (one.kind === "deployments" ? { ...one, outputs: { tracingProjectId: "project-1" } } : one));
  expect(sourcesOf(all)["index.ts"]).toBe(`import * as agentgraph from "pulumi-agentgraph";

const deployments0 = new agentgraph.Deployment("deployments-0", {
  name: "agent",
  source: "external_docker",
  sourceConfig: {},
  sourceRevisionConfig: { imageUri: "a:1" },
  secrets: { A: "b" },
  waitFor: "none",
});

const destinations1 = new agentgraph.BulkExportDestination("destinations-1", {
  displayName: "traces",
});

new agentgraph.ScheduledBulkExport("schedules-2", {
  bulkExportDestinationId: destinations1.id,
  sessionId: deployments0.tracingProjectId,
  startTime: "2026-01-01T00:00:00Z",
  intervalHours: 24,
});

new agentgraph.Thread("threads-3", {
  deploymentId: deployments0.id,
  threadId: "t-1",
});

new agentgraph.Thread("threads-4", { deploymentId: "id-9" });
`);
});

test("the name of a resource does not depend on resources with other names", () => {
  const [alone, first] = [
    new Names(typescript.naming).nameResource("support-agent", "deployment"),
    new Names(typescript.naming),
  ];
  for (const other of ["support", "agent", "support-agents"]) first.nameResource(other, "deployment");
  expect(first.nameResource("support-agent", "deployment")).toEqual(alone);
});

describe("a generated program", () => {
  let folder: string;
  beforeAll(async () => {
    folder = newFolder();
    for (const [name, target] of [
      ["pulumi-agentgraph", ROOT],
      ["@pulumi/pulumi", join(ROOT, "node_modules/@pulumi/pulumi")],
    ] as const) {
      await mkdir(dirname(join(folder, "node_modules", name)), { recursive: true });
      await symlink(target, join(folder, "node_modules", name));
    }
    const compilerOptions = { target: "ES2022", module: "nodenext", strict: true, skipLibCheck: true, noEmit: true };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
    await writeFile(join(folder, "biome.json"), JSON.stringify({ formatter: { indentStyle: "space" } }));
  });

  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [name, source] of Object.entries(files)) await writeFile(join(folder, name), source);
  };
  const compile = () =>
    run(process.execPath, [join(ROOT, "node_modules/@typescript/native/bin/tsc"), "-p", folder]).catch(
      (failure) => failure,
    );

  test.each(isComplete ? [10, 60] : [60])(
    "with %i resources compiles, whatever their names and values",
    async (count) => {
      const titles = fc.sample(fc.tuple(kind, text), count);
      const [texts, values] = [fc.sample(text, count), fc.sample(fc.dictionary(text, value), count)];
      const all = adopted(titles, (of, index) => inputsOf(of, index, texts[index] ?? "", values[index] ?? {}));
      const [files, { secrets }] = [sourcesOf(all), declare(all)];
      expect(Object.keys(files).length).toBe(count > 24 ? 6 : 1);
      expect(secrets.length).toBeGreaterThan(0);
      await write(files);
      expect(await compile()).toMatchObject({ stdout: "" });
      expect(JSON.parse(formatDynamicImportFile(all)).resources).toHaveLength(count);
    },
    60_000,
  );

  const fewAndMany = [
    ["one file", 2],
    ["several files", 30],
  ] as const;
  test.each(isComplete ? fewAndMany : fewAndMany.slice(1))(
    "with services in %s compiles, whatever the names of their parts",
    async (_files, count) => {
      const titles = fc.sample(fc.tuple(fc.constantFrom<Kind>("assistants", "crons", "threads"), text), count * 5);
      const all = adopted(
        [...Array.from({ length: count }, (_, index) => ["deployments", `agent-${index}`] as const), ...titles],
        (of, index) => {
          if (of === "deployments") return inputsOf(of, index, "a", {});
          const assistantId = `id-${count + (index % count)}`;
          const cron = { schedule: "0 3 * * *", assistantId: index % 2 ? "agent" : assistantId };
          return {
            deploymentId: `id-${index % count}`,
            ...(of === "crons" ? cron : of === "assistants" && { graphId: "a" }),
          };
        },
      );
      const files = sourcesOf(groupIntoServices(all));
      expect(Object.values(files).join("")).toContain("new agentgraph.AgentService(");
      expect("services.ts" in files).toBe(count > 24);
      await write(files);
      expect(await compile()).toMatchObject({ stdout: "" });
    },
  );

  test("needs no formatting", async () => {
    const word = fc.string({ unit: fc.constantFrom(..."abc -'\"/".split("")), maxLength: 90 });
    const count = 20;
    const titles = fc.sample(fc.tuple(kind, fc.stringMatching(/^[a-z][a-z0-9-]{0,60}$/)), count);
    const [texts, values] = [
      fc.sample(word, count),
      fc.sample(fc.dictionary(word, fc.oneof(word, fc.array(fc.dictionary(word, word)))), count),
    ];
    const files = sourcesOf(
      adopted(titles, (of, index) => inputsOf(of, index, texts[index] ?? "", values[index] ?? {})),
    );
    await write(files);
    const formatter = join(ROOT, "node_modules/.bin/biome");
    const wrong = await run(formatter, ["format", ...Object.keys(files)], { cwd: folder }).catch(
      (error) => error.stderr,
    );
    expect(wrong).toMatchObject({ stderr: expect.not.stringContaining("Found") });
  });
});
