/** The life of deployments from sources other than an image. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { countRevisions, createDeployment, startDeployment } from "../../../../support/deployments/create";
import { REPO_URL, repository } from "../../../../support/deployments/inputs";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { failureOf } from "../../../../support/errors";
import { type Platform, startPlatform } from "../../../../support/platform";
import { startRewritingProxy } from "../../../../support/servers/rewriting-proxy";
import { Stack, startStack, stateOf } from "../../../../support/stack";

const bodies = ({ emulator }: Platform, method: string) =>
  emulator.requestLog.entries({ method }).map(({ body }) => body);

it("a Deployment with buildOnPush has revisions of pushes, which are not drift and which an up keeps", async () => {
  const declared = repository({ buildOnPush: true });
  const { platform, stack, id } = await createDeployment(declared);
  const { revisions } = await platform.emulator.push({ repo_url: REPO_URL, ref: "main" });
  expect(revisions).toHaveLength(1);
  await platform.advance(60_000);
  expect(await stack.refresh()).toBe("same");
  expect(stateOf(stack).outputs.activeRevisionId).toBe(revisions[0]?.revision_id);
  expect([await stack.up(declared), await countRevisions(platform, id)]).toEqual(["same", 2]);
});

describe("a Deployment from a folder", () => {
  // @covers 2A.SourceRevisionConfig.source_tarball_path:revision
  it("that changed shows its digest in the preview and is uploaded once", async () => {
    const folder = createAgentFolder();
    const { platform, stack, id } = await createDeployment(internalSource({ sourcePath: folder }));
    writeFileSync(join(folder, "agent.py"), "graph = 2");
    expect(await stack.diff(internalSource({ sourcePath: folder }))).not.toMatchObject({ changes: false });
    expect(stack.messages.at(-1)).toBe("info: new revision: sourceDigest");
    expect(platform.requests()).toEqual([]);
    await stack.up(internalSource({ sourcePath: folder }));
    expect(platform.requests({ method: "PUT" })).toHaveLength(1);
    expect([await countRevisions(platform, id), await stack.refresh()]).toEqual([2, "same"]);
  });

  it("is uploaded although the response with its upload URL was lost", async () => {
    const { platform, stack } = await startDeployment({
      faults: [{ path: "/**/upload-url", connection: "reset-after" }],
    });
    expect(await stack.up(internalSource({ sourcePath: createAgentFolder() }))).toBe("create");
    expect(platform.requests({ method: "PUT" })).toHaveLength(1);
  });

  it("is uploaded again after a failed upload, even if the server created a first revision", async () => {
    const folder = createAgentFolder();
    const { platform, stack } = await startDeployment();
    await platform.addFault({ method: "PUT", status: 403, body: "denied" });
    await expect(stack.up(internalSource({ sourcePath: folder }))).rejects.toThrow(": 403: ");
    const created = stateOf(stack);
    expect(created.outputs.sourceDigest).toBeUndefined();
    const secrets = [{ name: "PULUMI_RESOURCE", value: created.outputs.__owner }];
    await platform.call("PATCH", `/v2/deployments/${created.id}`, { secrets });
    expect(await countRevisions(platform, created.id)).toBe(1);
    await stack.up(internalSource({ sourcePath: folder }));
    expect(platform.requests({ method: "PUT" })).toHaveLength(2);
  });

  it("with a reused upload path does not count as applied when the update was lost", async () => {
    const folder = createAgentFolder();
    const platform = await startPlatform();
    const places: string[] = [];
    const samePlace = (text: string) => {
      places.push(text);
      return places[0] ?? text;
    };
    const proxied = await startRewritingProxy(platform, () => undefined, {
      respond: (url, text) => (url.includes("upload-url") ? samePlace(text) : text),
    });
    const stack = await startStack(proxied, internalSource({ sourcePath: folder }));
    writeFileSync(join(folder, "agent.py"), "graph = 2");
    await platform.addFault({ method: "PATCH", connection: "reset-before" });
    await expect(stack.up(internalSource({ sourcePath: folder }))).rejects.toThrow("no response");
    expect(await stack.up(internalSource({ sourcePath: folder }))).toBe("update");
    expect(await countRevisions(platform, stateOf(stack).id)).toBe(2);
  });

  it("is not uploaded to an unencrypted URL", async () => {
    const platform = await startPlatform();
    const proxied = await startRewritingProxy(platform, () => undefined, {
      respond: (url, text) =>
        url.includes("upload-url") ? text.replace(/http:..127[^"]*/, "http://192.0.2.1/x?signature=s3cret") : text,
    });
    const stack = new Stack(proxied);
    const { message } = await failureOf(stack.up(internalSource({ sourcePath: createAgentFolder() })));
    expect(message).toMatch(/http:\/\/192\.0\.2\.1 uses plain HTTP.*Nothing was uploaded/);
    expect(message).not.toContain("s3cret");
    expect(stateOf(stack).outputs.sourceDigest).toBeUndefined();
  });
});

it("a Deployment from an uploaded tarball is built from its path, which must be known", async () => {
  const folder = createAgentFolder();
  const { platform, stack, id } = await createDeployment(internalSource({ sourcePath: folder }));
  const { body } = await platform.call("POST", `/v2/deployments/${id}/upload-url`, {});
  const { upload_url, object_path } = body as unknown as Record<string, string>;
  await fetch(String(upload_url), { method: "PUT", headers: { "content-type": "application/gzip" }, body: "x" });
  const declared = internalSource({}, { sourceTarballPath: object_path });
  await expect(stack.up(declared)).rejects.toThrow("BUILD_FAILED");
  expect((await platform.getDeployment(id)).source_revision_config.source_tarball_path).toBe(object_path);
  expect(bodies(platform, "PATCH")).toEqual([{ source_revision_config: { source_tarball_path: object_path } }]);
  const foreign = internalSource({}, { sourceTarballPath: "sources/of/somebody.tar.gz" });
  await expect(stack.up(foreign)).rejects.toThrow("sourceRevisionConfig.sourceTarballPath");
});
