/** `agentgraph adopt` against an emulator: what it adopts, what it skips and why, and what it never does. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PropertyMap } from "../../../provider/schema/schema";
import { startRewritingProxy } from "../../support/servers/rewriting-proxy";
import { Stack } from "../../support/stack";
import { adopt, folder, KEY, namesOf, platform, read, runJson, start, useProxy } from "../support/adopt";
import { tenant } from "../support/adopt-estate";

const AGENT = { deployments: [{ name: "agent", source_revision_config: { image_uri: "r.example/a:1" } }] };

it("adopt skips deployments of other Pulumi programs, and those that are being deleted", async () => {
  await start();
  const value = "acme/urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentgraph:Deployment::agent";
  const mark = { name: "PULUMI_RESOURCE", value };
  const image = { source_revision_config: { image_uri: "registry.example.com/agent:1" } };
  await platform.emulator.seed({
    deployments: [
      { name: "theirs", ...image, secrets: [mark] },
      { name: "masked", ...image, secrets: [{ ...mark, value: "acme..." }] },
      { name: "odd", ...image, secrets: [{ ...mark, value: "someone" }] },
      { name: "going", ...image, status: "AWAITING_DELETE" },
      { name: "free", ...image },
    ],
  });
  const { skipped, ...found } = await runJson("--only", "deployments");
  expect(namesOf(found as Parameters<typeof namesOf>[0])).toEqual(["deployments free"]);
  expect(skipped.map(({ title, reason }) => `${title}: ${reason}`).sort()).toEqual([
    "going: it is being deleted",
    "masked: managed by a Pulumi resource, which this server does not name, because it hides the values of secrets " +
      "(adopt it with --include-owned)",
    "odd: managed by someone (adopt it with --include-owned)",
    "theirs: managed by agent in stack dev of project shop (adopt it with --include-owned)",
  ]);
  expect(namesOf(await runJson("--only", "deployments", "--include-owned", "--force"))).toEqual([
    ...["deployments free", "deployments masked", "deployments odd", "deployments theirs"],
  ]);
  const { resources } = JSON.parse(await read("import.json"));
  expect(resources.at(-1).outputs).toMatchObject({
    ...{ __owner: mark.value, __server: { origin: platform.url }, tenantId: tenant },
  });
  expect(await read("index.ts")).not.toContain("PULUMI_RESOURCE");
});

it("adopt skips a preview that the platform made, and declares the paid class in place of the free one", async () => {
  await start();
  const classes = ["dev_free", "dev_free_zero", "dev", "serverless", "preview"];
  const source_config = { repo_url: "https://git.example/team/agent" };
  const source_revision_config = { agentgraph_config_path: "agentgraph.json" };
  await platform.emulator.seed({
    deployments: classes.map((name) => ({ name, source: "githost", source_config, source_revision_config })),
  });
  const proxy = await startRewritingProxy(platform, (one) => {
    one.source_config.deployment_type = one.name;
    Object.assign(one, { is_preview: one.name === "preview" });
  });
  useProxy(proxy);
  const { skipped } = await runJson("--only", "deployments");
  expect(skipped).toMatchObject([{ title: "preview", reason: "it is a preview that the platform made for a change" }]);
  const { resources } = JSON.parse(await read("import.json"));
  const declared = resources.map(({ inputs }: { inputs: PropertyMap }) => [inputs.name, inputs.sourceConfig]);
  expect(Object.fromEntries(declared)).toMatchObject({
    dev_free: { deploymentType: "dev" },
    dev_free_zero: { deploymentType: "dev_zero" },
    dev: { deploymentType: "dev" },
    serverless: { deploymentType: "serverless" },
  });
});

it("adopt skips a deployment whose values are not valid inputs, with the reason", async () => {
  await start();
  await platform.emulator.seed({ deployments: [{ name: "half", source: "internal_source", revision_status: null }] });
  const ended = await adopt([]);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain("Nothing to adopt. No files were written.");
  expect(ended.stdout).toMatch(/deployment half: its values are not valid inputs: sourceRevisionConfig/);
  expect(await readdir(folder)).toEqual([]);
});

it("adopt names a thread copy of an interrupted run whose resource is no longer in the program", async () => {
  await start();
  const { deployments: [deploymentId = ""] = [] } = await platform.emulator.seed({
    deployments: [{ name: "support-agent", revision_status: "DEPLOYED" }],
  });
  const inStack = (name: string) =>
    new Stack(platform, { kind: "Thread", name, config: { apiKey: KEY, tenantId: tenant } });
  const [source, copy] = [inStack("source"), inStack("copy")];
  await source.up({ deploymentId, metadata: { graph_id: "echo" } });
  // State was never written, so only the server knows the copy.
  await copy.up({ deploymentId, copyFrom: source.state?.id });

  const { code, stdout } = await adopt(["--only", "threads", "--deployment", "support-agent", "--json"]);
  expect(code).toBe(1);
  const { skipped, files } = JSON.parse(stdout);
  expect(files).toEqual([]);
  const reason = "it has the ownership marker of a Pulumi resource (--include-owned)";
  expect(skipped).toHaveLength(2);
  expect(skipped).toContainEqual(expect.objectContaining({ kind: "threads", id: copy.state?.id, reason }));
});

it("adopt notes that the first update creates revisions if the server hides the values of secrets", async () => {
  await start();
  const secrets = [{ name: "TOKEN", value: "*****" }];
  await platform.emulator.seed({
    deployments: [{ name: "agent", secrets, source_revision_config: { image_uri: "registry.example.com/agent:1" } }],
  });
  const { notes, secrets: keys } = await runJson();
  expect(keys).toEqual([{ key: "agentToken", resource: "agent", path: "secrets.TOKEN" }]);
  expect(notes).toEqual([expect.stringMatching(/does not return the values of secrets.*creates a revision/)]);
  // As a refresh reads it, so the preview shows a certain revision, not a possible one.
  expect(JSON.parse(await read("import.json")).resources[0].inputs.secrets).toEqual({ TOKEN: "" });
});

it("adopt notes the kinds that a server cannot list", async () => {
  await start({ interfaceOnly: true });
  await platform.emulator.seed(AGENT);
  const found = await runJson();
  expect(namesOf(found)).toEqual(["deployments agent"]);
  expect(found.notes.sort()).toEqual([
    "This server cannot list destinations, so none were adopted.",
    "This server cannot list exports, so none were adopted.",
  ]);
});

it("adopt skips exports without the settings of the tracing API, and fails if --only names them", async () => {
  await start();
  await platform.emulator.seed(AGENT);
  const without = { AGENTGRAPH_TRACING_API_URL: "" };
  const all = await adopt([], without);
  expect(all.code).toBe(0);
  expect(all.stdout).toContain("Exports and destinations were skipped. Settings are missing: tracingApiUrl");
  const prompts = await adopt(["--only", "exports", "--out", "other"], without);
  expect(prompts).toMatchObject({ code: 1, stdout: "" });
  expect(prompts.stderr).toContain("Settings are missing: tracingApiUrl");
});

it.each([
  [["--only", "deployment"], 'did you mean "deployments"?'],
  [["--threads"], "To adopt threads, specify --deployment <name or ID>, or --agent-urls <URL>."],
  [["--deployments", "nobody"], "--deployments: no deployment nobody exists. Existing deployments: agent."],
  [["--deployment", "nobody"], "--deployment: no deployment nobody exists. Existing deployments: agent."],
  [["--deployment", "agent", "--metadata", "tier"], 'Invalid value "tier"; expected key=value.'],
  [["--from-terraform", "nothing.json"], "nothing.json: the file does not exist."],
  [["--from-terraform", "package.json"], "package.json is not a Terraform state of version 4."],
  [["--stack", "dev"], "--stack: no Pulumi.yaml in"],
])("adopt %j fails and says what to write instead", async (args, says) => {
  await start();
  await platform.emulator.seed(AGENT);
  await writeFile(join(folder, "package.json"), "{}");
  const { code, stdout, stderr } = await adopt(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(says);
  expect(await readdir(folder)).toEqual(["package.json"]);
});

it("adopt redacts the API key and control characters from the error of a server", async () => {
  await start();
  const basic = Buffer.from(`user:${KEY}`).toString("base64");
  const detail = `refused ${basic} ${encodeURIComponent(KEY)} \u001b[31mred\r\n::error::forged`;
  await platform.emulator.faults.add({ path: "/v2/deployments", times: 9, status: 403, body: { detail } });
  const { code, stderr } = await adopt([]);
  expect(code).toBe(1);
  expect(stderr).toContain("403: refused dXNlcj[secret] [secret] red\n: :error::forged\n");
});

it("adopt warns once that an update may remove secrets if the server does not return which ones exist", async () => {
  await start();
  await platform.emulator.seed({
    deployments: ["one", "two"].map((name) => ({
      ...{ name, source_revision_config: { image_uri: "registry.example.com/agent:1" } },
    })),
  });
  useProxy(await startRewritingProxy(platform, (remote) => void Reflect.deleteProperty(remote, "secrets")));
  const { notes } = await runJson("--only", "deployments");
  expect(notes).toEqual([
    expect.stringMatching(/^The server does not return which secrets a deployment has, and a change of one/),
  ]);
});
