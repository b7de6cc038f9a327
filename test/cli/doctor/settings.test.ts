/**
 * What `agentgraph doctor` says about the settings: which are missing, which are secret, and which proxy leads to the
 * servers.
 */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkProxy } from "../../../cli/doctor/proxy";
import { checkSettings, checkValues } from "../../../cli/doctor/settings";
import type { StateResource } from "../../../cli/shared/pulumi/state";
import { newFolder } from "../../../emulator/test/support/folder";

const resource = (kind: string, inputs: Record<string, unknown>): StateResource => ({
  type: `agentgraph:index:${kind}`,
  urn: `urn:pulumi:dev::shop::agentgraph:index:${kind}::one`,
  inputs,
});
const byUrl = [
  { type: "pulumi:pulumi:Stack" },
  resource("Assistant", { deploymentUrl: "https://agent.example.com" }),
  resource("Cron", { deploymentUrl: "https://agent.example.com" }),
];

it.each([
  ["has no resources yet", [], ["fix", "fix", "skipped"]],
  ["has only resources by deploymentUrl", byUrl, ["skipped", "skipped", "skipped"]],
  ["has one by deploymentId as well", [...byUrl, resource("Thread", { deploymentId: "1" })], ["fix", "fix", "skipped"]],
  ["has only exports", [resource("BulkExport", {})], ["fix", "skipped", "fix"]],
  ["has both", [resource("BulkExport", {}), resource("Deployment", {})], ["fix", "fix", "fix"]],
] as const)("doctor of a stack that %s judges missing settings accordingly", (_what, resources, statuses) => {
  expect(
    checkValues({}, {}, resources)
      .checks.slice(0, 3)
      .map(({ status }) => status),
  ).toEqual(statuses);
});

test("doctor shows one base URL as both APIs, the platform of its host, and where the settings come from", () => {
  const { checks } = checkValues(
    { "agentgraph:url": "https://smith.langchain.com" },
    { LANGSMITH_API_KEY: "k", LANGSMITH_WORKSPACE_ID: "22222222-2222-4222-8222-222222222222" },
    [],
  );
  expect(checks.map(({ status, message }) => `${status}: ${message}`)).toEqual([
    "ok: API key from the environment variable LANGSMITH_API_KEY",
    "ok: controlPlaneUrl: https://api.smith.langchain.com, from stack configuration agentgraph:url",
    "ok: tracingApiUrl: https://api.smith.langchain.com, from stack configuration agentgraph:url",
    "ok: tenantId: 22222222-2222-4222-8222-222222222222, from the environment variable LANGSMITH_WORKSPACE_ID",
    "ok: platform: LangSmith, known from its host",
  ]);
});

test("doctor treats all encrypted values of the stack configuration as secrets, credentials or not", async () => {
  const folder = newFolder();
  const config = {
    "agentgraph:tenantId": { value: "canary-of-the-tenant", secret: true },
    "agentgraph:streamLogs": { value: '["canary-of-a-name"]', objectValue: ["canary-of-a-name"], secret: true },
    "shop:database": { value: "canary-of-the-program", secret: true },
    "agentgraph:controlPlaneUrl": { value: "https://agents.example.com" },
  };
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const script = `#!/bin/sh\nif [ "$1" = config ]; then cat '${join(folder, "config.json")}'; else exit 1; fi\n`;
  writeFileSync(join(folder, "pulumi"), script);
  chmodSync(join(folder, "pulumi"), 0o755);
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const { secrets, group } = await checkSettings(undefined, { folder, env } as never);
  expect(secrets.sort()).toEqual(["canary-of-a-name", "canary-of-the-program", "canary-of-the-tenant"]);
  // Messages contain them until the command redacts all of its output.
  expect(JSON.stringify(group)).toContain("canary-of-the-tenant");
});

describe("doctor shows the proxy", () => {
  const config: Record<string, string> = {
    "agentgraph:controlPlaneUrl": "https://agents.example.com",
    "agentgraph:tracingApiUrl": "https://10.0.0.7",
  };
  const linesWith = (env: NodeJS.ProcessEnv) =>
    checkProxy(checkValues(config, {}, []).settings, env).map(({ status, message }) => `${status}: ${message}`);

  it.each<[string, NodeJS.ProcessEnv, unknown[]]>([
    ["not at all where there is none", { NO_PROXY: "10.*", HTTPS_PROXY: "" }, []],
    [
      "of each server, without its password",
      { HTTPS_PROXY: "user:pass@proxy.corp:3128", NO_PROXY: "10.0.0.0/8" },
      ["ok: proxy: http://proxy.corp:3128 (HTTPS_PROXY) for controlPlaneUrl", "ok: proxy: none for tracingApiUrl"],
    ],
    [
      "that is not valid as a problem",
      { ALL_PROXY: "ftp://proxy.corp", NO_PROXY: "10.0.0.7" },
      [
        expect.stringMatching(/^fix: proxy: The environment variable ALL_PROXY is not the address of a proxy\./),
        "ok: proxy: none for tracingApiUrl",
      ],
    ],
    [
      "with the exceptions that match nothing",
      { https_proxy: "a:1", no_proxy: "10.*,*" },
      [
        "ok: proxy: none for controlPlaneUrl",
        "ok: proxy: none for tracingApiUrl",
        "note: NO_PROXY: 10.* matches no server",
      ],
    ],
  ])("%s", (_what, env, lines) => {
    expect(linesWith(env)).toEqual(lines);
  });
});
