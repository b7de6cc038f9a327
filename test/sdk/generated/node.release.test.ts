/** The Node SDK that `pulumi package add` generates, and what `pulumi import` and `pulumi convert` print for it. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { newFolder } from "../../../emulator/test/support/folder";
import { describeWithTools } from "../../support/tools";

const ROOT = resolve(__dirname, "../../..");

/** As the CLI prints it, with the import that the schema names. */
const PRINTED = `import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph-native";

const supportAgent = new agentgraph.Deployment("support-agent", {
    name: "support-agent",
    secrets: {
        MODEL_API_KEY: "a-model-key",
    },
    source: agentgraph.DeploymentSource.ExternalDocker,
    sourceConfig: {
        resourceSpec: {
            maxScale: 3,
        },
    },
    sourceRevisionConfig: {
        imageUri: "registry.example.com/support-agent:1.0.0",
    },
    waitFor: agentgraph.DeploymentWaitFor.Healthy,
}, {
    protect: true,
});
const january = new agentgraph.BulkExport("january", {
    bulkExportDestinationId: "destination",
    compression: agentgraph.BulkExportCompression.Zstandard,
    startTime: "2026-01-01T00:00:00Z",
    endTime: "2026-02-01T00:00:00Z",
    sessionId: supportAgent.tracingProjectId,
});
export const url = supportAgent.url;
export const error = agentgraph.getDeploymentOutput({ id: supportAgent.id }).apply(agent => agent.name);
`;

/** Runs the program and prints the type of each resource that it registers. */
const RUN = `
const pulumi = require("@pulumi/pulumi");
const newResource = ({ type, name, inputs }) => {
  console.log(type, inputs.source ?? inputs.compression);
  return { id: name, state: inputs };
};
pulumi.runtime.setMocks({ newResource, call: ({ inputs }) => inputs });
`;

const PACKAGES = ["pulumi-agentgraph-native", "pulumi-agentgraph/native"];
const fileOf = (name: string) => `${name.replace("/", "-of-")}.ts`;

describeWithTools("A program that Pulumi prints", ["sdk-generator"], (tools) => {
  const folder = newFolder();
  const generated = join(folder, "node_modules/pulumi-agentgraph-native");

  const tsc = (...args: string[]) =>
    execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), ...args], { cwd: folder });

  beforeAll(() => {
    mkdirSync(generated, { recursive: true });
    execFileSync(tools["sdk-generator"], ["nodejs", join(ROOT, "plugin/schema.json"), generated]);
    for (const [name, target] of [
      ["pulumi-agentgraph", ROOT],
      ["@pulumi/pulumi", join(ROOT, "node_modules/@pulumi/pulumi")],
      ["@types/node", join(ROOT, "node_modules/@types/node")],
    ] as const) {
      mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
      symlinkSync(target, join(folder, "node_modules", name));
    }
    for (const name of PACKAGES) {
      writeFileSync(join(folder, fileOf(name)), PRINTED.replace("pulumi-agentgraph-native", name));
    }
    // As its postinstall script does.
    tsc("--project", generated);
    copyFileSync(join(generated, "package.json"), join(generated, "bin/package.json"));
    tsc("--strict", "--skipLibCheck", "--module", "nodenext", "--types", "node", ...PACKAGES.map(fileOf));
  });

  it.each(PACKAGES)("compiles with %s and registers resources of the native provider", (name) => {
    const run = `${RUN}require("./${fileOf(name).replace(/ts$/, "js")}");`;
    const printed = execFileSync(process.execPath, ["-e", run], { cwd: folder, encoding: "utf8" });
    expect(printed.trim().split("\n")).toEqual([
      "agentgraph:index:Deployment external_docker",
      "agentgraph:index:BulkExport zstandard",
    ]);
  });
});
