import { gzipSync } from "node:zlib";
import {
  type Body,
  type Client,
  createDeployment,
  docker,
  githost,
  rolloutMs,
  start,
  startDeployment,
  statuses,
} from "../../support/emulator";
import { graphConfig, internalSource, logMessages, tar, tarball, uploadSource } from "../../support/tarballs";

const zipped = (files: Record<string, string>) => gzipSync(tar(files));

/** Uploads a source, waits for its build, and returns the deployment. */
async function buildSource(client: Client, content: Buffer, config: object = {}, path?: string): Promise<Body> {
  const deployment = await createDeployment(client, internalSource("agent", config, path));
  await uploadSource(client, deployment, content);
  await client.advance(rolloutMs);
  return deployment;
}

describe("an invalid source fails the build, and the log contains the cause:", () => {
  // @covers 2A.SourceRevisionConfig.agentgraph_config_path
  test.each<[string, Buffer, string, RegExp]>([
    ["no gzip", Buffer.from("no gzip"), "Step 2/6", /not gzip/],
    ["an empty body", Buffer.alloc(0), "Step 2/6", /not gzip/],
    ["half a gzip", tarball({ "a.txt": "text" }).subarray(0, 60), "Step 2/6", /not gzip: unexpected end of file/],
    ["gzip without a tar", gzipSync("no tar"), "Step 2/6", /not a valid tar archive/],
    ["no configuration", zipped({ "agent.py": "" }), "Step 3/6", /agentgraph.json is not in the tarball.* 1 file/],
    ["one in another folder", zipped({ "app/agentgraph.json": graphConfig }), "Step 3/6", /app\/agentgraph.json/],
    ["invalid JSON", zipped({ "agentgraph.json": '{\n"graphs": }' }), "Step 3/6", /not valid JSON.*line 2/],
    ["no graphs", zipped({ "agentgraph.json": "{}" }), "Step 3/6", /has no graphs/],
    ["empty graphs", zipped({ "agentgraph.json": '{"graphs": {}}' }), "Step 3/6", /has no graphs/],
    ["a list", zipped({ "agentgraph.json": "[]" }), "Step 3/6", /has no graphs/],
  ])("%s", async (_, content, step, cause) => {
    const client = await start({ strict: true });
    const { id } = await buildSource(client, content);
    expect(await statuses(client, id)).toEqual(["BUILD_FAILED"]);
    expect(await logMessages(client, id, "build", "&level=ERROR")).toEqual([expect.stringMatching(cause)]);
    expect((await logMessages(client, id, "build")).at(-2)).toContain(step);
  });

  test("no upload", async () => {
    const { client, id } = await startDeployment({ strict: true }, internalSource("agent"));
    const { object_path } = (await client.post(`/deployments/${id}/upload-url`)).body;
    await client.patch(`/v2/deployments/${id}`, { source_revision_config: { source_tarball_path: object_path } });
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["BUILD_FAILED"]);
    expect(await logMessages(client, id, "build", "&level=ERROR")).toEqual([
      `No tarball was uploaded to ${object_path}`,
    ]);
  });

  test("no tarball", async () => {
    const { client, id } = await startDeployment({ strict: true }, internalSource("agent"));
    await client.patch(`/v2/deployments/${id}`, { secrets: [{ name: "A", value: "1" }] });
    await client.advance(rolloutMs);
    expect(await logMessages(client, id, "build", "&level=ERROR")).toEqual([
      expect.stringContaining("source_tarball_path"),
    ]);
  });

  // @covers 4A.POST:omitted
  test("no configuration path, in the terms of the vocabulary", async () => {
    const body = { name: "agent", source: "internal_source", source_config: {}, secrets: [] };
    const { client, ...deployment } = await startDeployment({ vocabulary: { agentgraph: "langgraph" } }, body);
    await uploadSource(client, deployment, tarball());
    await client.advance(rolloutMs);
    const [message] = await logMessages(client, deployment.id, "build", "&level=ERROR");
    expect(message).toContain("source_revision_config.langgraph_config_path is not set");
    expect(await statuses(client, deployment.id)).toEqual(["BUILD_FAILED"]);
  });
});

// @covers 2A.SourceRevisionConfig.agentgraph_config_path
test("a source whose configuration is in a folder is built from there", async () => {
  const client = await start({ strict: true });
  const content = gzipSync(tar({ "services/agent/agentgraph.json": graphConfig }));
  const { id } = await buildSource(client, content, {}, "./services/agent/agentgraph.json");
  expect(await statuses(client, id)).toEqual(["DEPLOYED"]);
  expect(await logMessages(client, id, "build")).toContainEqual(expect.stringMatching(/is valid: graphs agent$/));
});

describe("the commands of a JS deployment", () => {
  // @covers 2A.SourceConfig.install_command:absent
  test.each([
    ["package-lock.json", "npm ci"],
    ["yarn.lock", "yarn install --frozen-lockfile"],
    ["pnpm-lock.yaml", "pnpm install --frozen-lockfile"],
    ["bun.lock", "bun install --frozen-lockfile"],
    ["package.json", "npm install"],
  ])("default to an install command for %s: %s", async (file, command) => {
    const client = await start({ strict: true });
    const { id } = await buildSource(client, tarball({ "package.json": "{}", [file]: "" }));
    const step = `Step 4/6: installing dependencies in / with: ${command} (found ${file})`;
    expect(await logMessages(client, id, "build")).toContain(step);
  });

  // @covers 2A.SourceConfig.install_command, 2A.SourceConfig.build_command
  test("run in the root to install, and next to the configuration to build", async () => {
    const client = await start({ strict: true });
    const content = tarball({ "apps/agent/agentgraph.json": graphConfig, "package.json": "{}", "yarn.lock": "" });
    const config = { install_command: "npm ci --omit=dev", build_command: "npm run build" };
    const { id } = await buildSource(client, content, config, "apps/agent/agentgraph.json");
    const log = await logMessages(client, id, "build");
    expect(log).toContain("Step 4/6: installing dependencies in / with: npm ci --omit=dev");
    expect(log).toContain("Step 5/6: building the image in /apps/agent with: npm run build");
  });

  // @covers 2A.SourceConfig.install_command, 2A.SourceConfig.build_command
  test("are ignored with a warning without a package.json", async () => {
    const client = await start({ strict: true });
    const { id } = await buildSource(client, tarball(), { install_command: "npm ci", build_command: "npm run build" });
    expect(await logMessages(client, id, "build", "&level=WARNING")).toEqual([
      expect.stringContaining("install_command is ignored"),
      expect.stringContaining("build_command is ignored"),
    ]);
    expect(await statuses(client, id)).toEqual(["DEPLOYED"]);
  });

  // @covers 2A.SourceConfig.install_command
  test("of a repository are in its log, too", async () => {
    const config = { install_command: "pnpm install", build_command: "pnpm build" };
    const body = githost("agent", config, { agentgraph_config_path: "apps/a/agentgraph.json" });
    const { client, id } = await startDeployment({ strict: true }, body, rolloutMs);
    const log = await logMessages(client, id, "build");
    expect(log).toContain("Step 4/6: installing dependencies in / with: pnpm install");
    expect(log).toContain("Step 5/6: building the image in /apps/a with: pnpm build");
  });
});

test("a revision of internal_docker without an image fails, and its log contains the cause", async () => {
  const body = docker("agent", { source: "internal_docker", source_config: {}, source_revision_config: {} });
  const { client, id } = await startDeployment({ strict: true }, body);
  await client.patch(`/v2/deployments/${id}`, { secrets: [{ name: "A", value: "1" }] });
  await client.advance(rolloutMs);
  expect(await statuses(client, id)).toEqual(["DEPLOY_FAILED"]);
  expect(await logMessages(client, id, "deploy", "&level=ERROR")).toEqual([
    expect.stringContaining("image_uri is not set"),
  ]);
});
