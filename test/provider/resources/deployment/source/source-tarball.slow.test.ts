/** Deployments from a tarball that a pipeline packed, and deployments without content at first. */
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { computeDigest as digestOfFolder } from "../../../../../provider/resources/deployment/source/source-folder";
import {
  assertFits,
  computeDigest,
  withTarball,
} from "../../../../../provider/resources/deployment/source/source-tarball";
import { countRevisions, createDeployment } from "../../../../support/deployments/create";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { startPlatform } from "../../../../support/platform";
import { startRewritingProxy } from "../../../../support/servers/rewriting-proxy";
import { Stack } from "../../../../support/stack";
import { program } from "../../../functions/program";

/** Creates a .tar.gz file of a folder. */
function packed(folder: string, ...options: string[]): string {
  const file = join(createAgentFolder(), "agent.tar.gz");
  execFileSync("tar", [...options, "-czf", file, "-C", folder, "."]);
  return file;
}

type Case = [string, (file: string) => void, RegExp];
/** Also by root. */
const UNREADABLE: Case = ["cannot be read", (file) => symlinkSync("/proc/self/mem", file), /\.tar\.gz file \(.*EIO/];

describe("Deployment: a tarball that a pipeline packed", () => {
  it("is uploaded unchanged, and packing the same files again creates no revision", async () => {
    const folder = createAgentFolder();
    const { platform, stack, id } = await createDeployment(internalSource({ sourcePath: packed(folder) }));
    expect((await platform.getDeployment(id)).revisions.map(({ status }) => status)).toEqual(["DEPLOYED"]);
    utimesSync(join(folder, "agentgraph.json"), 1, 1);
    expect(await stack.up(internalSource({ sourcePath: packed(folder) }))).toBe("same");
    expect(await stack.up(internalSource({ sourcePath: folder }))).toBe("same");
    expect(platform.requests()).toEqual([]);
    writeFileSync(join(folder, "agent.py"), "graph = 2");
    expect(await stack.up(internalSource({ sourcePath: packed(folder) }))).toBe("update");
    expect(await countRevisions(platform, id)).toBe(2);
  });

  it.each<Case>([
    ["is not packed", (file) => writeFileSync(file, "plain"), /is neither a folder nor a \.tar\.gz file/],
    ["is empty", (file) => execFileSync("tar", ["-czf", file, "-T", "/dev/null"]), /contains no files/],
    ...(process.platform === "linux" ? [UNREADABLE] : []),
    ["was cut", (file) => writeFileSync(file, gzipSync("no archive").subarray(0, 12)), /neither a folder nor/],
  ])("that %s is rejected by check", async (_what, write, reason) => {
    const file = join(createAgentFolder(), "agent.tar.gz");
    write(file);
    await expect(new Stack(await startPlatform()).up(internalSource({ sourcePath: file }))).rejects.toThrow(reason);
  });

  it("that exceeds the server's limit is rejected before the upload", async () => {
    const file = packed(createAgentFolder());
    truncateSync(file, 201 * 1024 * 1024);
    await expect(assertFits(file)).rejects.toThrow(/is 201 MiB; the limit is 200 MiB\. Nothing was uploaded/);
    await expect(withTarball(file, () => Promise.reject(new Error("it was opened")))).rejects.toThrow("the limit is");
    truncateSync(file, 200 * 1024 * 1024);
    const { size, type } = await withTarball(file, async (tarball) => tarball);
    expect([size, type]).toEqual([200 * 1024 * 1024, "application/gzip"]);
  });
});

it("the digest of a tarball equals that of its folder, including links and executable files", async () => {
  const folder = createAgentFolder();
  mkdirSync(join(folder, "a".repeat(120)));
  writeFileSync(join(folder, "a".repeat(120), "b.py"), "x = 1");
  writeFileSync(join(folder, "run.sh"), "true", { mode: 0o755 });
  symlinkSync("run.sh", join(folder, "link"));
  expect(await computeDigest(packed(folder))).toBe(await digestOfFolder(folder));
});

it("the digest of a tarball does not depend on how its paths begin", async () => {
  const folder = createAgentFolder();
  const transformed = packed(folder, "--transform", "s,^\\./,./././,");
  expect(await computeDigest(transformed)).toBe(await digestOfFolder(folder));
});

it("the digest of a tarball differs for a file, a hard link, a symbolic link and none of them", async () => {
  const folder = () => createAgentFolder({ "a.py": "x = 1" });
  const [hard, symbolic] = [folder(), folder()];
  linkSync(join(hard, "a.py"), join(hard, "b.py"));
  symlinkSync("./a.py", join(symbolic, "b.py"));
  const digests = await Promise.all(
    [packed(hard), packed(hard), packed(hard, "--hard-dereference"), packed(symbolic), packed(folder())].map((file) =>
      computeDigest(file),
    ),
  );
  expect(digests[0]).toBe(digests[1]);
  expect(new Set(digests).size).toBe(4);
  expect(digests[2]).toBe(await digestOfFolder(hard));
});

describe("Deployment: a source without content at first", () => {
  it("is not awaited even if the server creates a first revision", async () => {
    const platform = await startPlatform();
    const proxy = await startRewritingProxy(platform, (remote) => {
      remote.latest_revision_id = "33333333-3333-4333-8333-333333333333";
    });
    const stack = new Stack(proxy);
    const begin = platform.clock.now();
    await stack.up(internalSource({}));
    expect(platform.clock.now()).toBe(begin);
  });

  it("takes the tarball that a pipeline uploaded to the URL of getUploadUrl", async () => {
    const { platform, stack, id } = await createDeployment(internalSource({}));
    const { uploadUrl, objectPath } = await program(platform)("getUploadUrl", { deploymentId: id, withSecrets: true });
    const content = readFileSync(packed(createAgentFolder()));
    const headers = { "content-type": "application/gzip" };
    expect(await fetch(uploadUrl, { method: "PUT", headers, body: content })).toMatchObject({ status: 200 });
    expect(await stack.up(internalSource({}, { sourceTarballPath: objectPath }))).toBe("update");
    expect((await platform.getDeployment(id)).revisions.map(({ status }) => status)).toEqual(["DEPLOYED"]);
    await expect(stack.up(internalSource({}))).rejects.toThrow(/sourceTarballPath cannot be removed: the server keeps/);
    expect(await stack.up(internalSource({ sourcePath: createAgentFolder() }))).toBe("update");
    await expect(stack.up(internalSource({}))).rejects.toThrow(/sourcePath cannot be removed: the server keeps/);
  });
});
