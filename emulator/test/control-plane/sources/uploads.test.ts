import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDeployment, docker, rolloutMs, start, startDeployment, statuses } from "../../support/emulator";
import { newFolder } from "../../support/folder";
import { expectError } from "../../support/rejections";
import { internalSource, putTarball, tarball, uploadSource } from "../../support/tarballs";

describe("an upload URL", () => {
  // @covers 2A.SourceRevisionConfig.source_tarball_path:origin, 4A.POST /deployments/{deployment_id}/upload-url
  test("accepts a PUT, and its object path creates the first revision", async () => {
    const client = await start({ strict: true });
    const deployment = await createDeployment(client, internalSource("agent"));
    expect(deployment.latest_revision_id).toBeNull();
    const { status, body } = await uploadSource(client, deployment, tarball());
    expect({ status, id: body.latest_revision_id }).toEqual({ status: 200, id: expect.any(String) });
    await client.advance(rolloutMs);
    expect(await statuses(client, deployment.id)).toEqual(["DEPLOYED"]);
  });

  // @covers 4A.POST /v2/deployments/{deployment_id}/upload-url
  test("is also available under /v2", async () => {
    const { client, id } = await startDeployment({ strict: true }, internalSource("agent"));
    const { status, body } = await client.post(`/v2/deployments/${id}/upload-url`);
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 200, keys: ["upload_url", "object_path"] });
    expect(await putTarball(body.upload_url, tarball())).toBe(200);
  });

  // @covers 2A.Upload
  test("requires more headers from clients that support them", async () => {
    const { client, id } = await startDeployment({ strict: true }, internalSource("agent"));
    const { body } = await client.post(`/v2/deployments/${id}/upload-url`, { supports_upload_headers: true });
    const { upload_url, upload_headers = {} } = body;
    expect(upload_headers).toEqual({ "Content-Type": "application/gzip", "X-Content-Length-Range": "0,209715200" });
    expect(await putTarball(upload_url, tarball())).toBe(403);
    expect(await putTarball(upload_url, tarball(), upload_headers)).toBe(200);
  });

  test("requires no more headers with interfaceOnly", async () => {
    const { client, id } = await startDeployment({ interfaceOnly: true }, internalSource("agent"));
    const { body } = await client.post(`/deployments/${id}/upload-url`, { supports_upload_headers: true });
    expect(Object.keys(body)).toEqual(["upload_url", "object_path"]);
    expect((await client.post(`/v2/deployments/${id}/upload-url`)).status).toBe(404);
  });

  test("notes an unnecessary API key on a tolerant server", async () => {
    const { client, id } = await startDeployment({}, internalSource("agent"));
    const { upload_url } = (await client.post(`/deployments/${id}/upload-url`)).body;
    expect(await putTarball(upload_url, tarball(), { "x-api-key": "a-key" })).toBe(200);
    const [entry] = client.emulator.requestLog.entries({ method: "PUT" });
    expect(entry?.notes).toEqual([expect.stringContaining("do not send an API key")]);
  });

  test("is only for deployments of uploaded sources", async () => {
    const body = docker("agent", { source: "internal_docker", source_config: {} });
    const { client, id } = await startDeployment({ strict: true }, body);
    const detail = "Only a deployment of source 'internal_source' accepts a source tarball";
    expectError(await client.post(`/deployments/${id}/upload-url`), 400, detail);
  });

  // @covers 4A.upload
  test("is signed, accepts only application/gzip, and rejects credentials, each with the reason", async () => {
    const { client, id } = await startDeployment({ strict: true }, internalSource("agent"));
    const { upload_url, object_path } = (await client.post(`/deployments/${id}/upload-url`)).body;
    expect(object_path).toMatch(new RegExp(`^sources/${id}/[0-9a-f-]{36}\\.tar\\.gz$`));
    const gzip = { "content-type": "application/gzip" };
    const other = upload_url.replace(/uploads\/[^?]+/, "uploads/00000000-0000-4000-8000-000000000000");
    const disclosed =
      "do not send an API key with an upload: the URL is signed, and the key would be disclosed to another host";
    const typed = "The signature does not match: it was made for the header Content-Type: application/gzip";
    for (const [url, headers, status, reason] of [
      [`${upload_url}x`, gzip, 403, "The signature does not match"],
      [other, gzip, 403, "The signature does not match"],
      [upload_url, { "content-type": "text/plain" }, 403, typed],
      [upload_url, { ...gzip, "x-api-key": "k" }, 400, disclosed],
      [upload_url, { ...gzip, authorization: "Bearer token" }, 400, disclosed],
    ] as const) {
      const response = await fetch(url, { method: "PUT", headers, body: "x" });
      expect([response.status, await response.json()]).toEqual([status, { detail: reason }]);
    }
    expect(await putTarball(upload_url, tarball())).toBe(200);
  });

  // @covers 2A.SourceRevisionConfig.source_tarball_path:origin
  test("has an object path that only its deployment can use", async () => {
    const client = await start({ strict: true });
    const one = await createDeployment(client, internalSource("one"));
    const two = await createDeployment(client, internalSource("two"));
    const { object_path } = (await client.post(`/deployments/${two.id}/upload-url`)).body;
    for (const source_tarball_path of ["made/up.tar.gz", object_path]) {
      const change = { source_revision_config: { source_tarball_path } };
      const loc = ["body", "source_revision_config", "source_tarball_path"];
      expectError(await client.patch(`/v2/deployments/${one.id}`, change), 422, [{ loc }]);
    }
  });
});

describe("tarballs under --data", () => {
  test("are files that are deleted with their deployment", async () => {
    const data = newFolder();
    const client = await start({ data });
    const remaining = await createDeployment(client, internalSource("kept"));
    const deleted = await createDeployment(client, internalSource("gone"));
    await uploadSource(client, remaining, tarball());
    await uploadSource(client, deleted, tarball());
    expect(readdirSync(join(data, "tarballs"))).toHaveLength(2);
    await client.remove(`/v2/deployments/${deleted.id}`);
    await client.advance(rolloutMs);
    expect(readdirSync(join(data, "tarballs"))).toHaveLength(1);
    await client.admin("POST", "/reset");
    expect(readdirSync(join(data, "tarballs"))).toEqual([]);
  });

  test("without a deployment are deleted at the next start", async () => {
    const data = newFolder();
    await (await start({ data })).emulator.stop();
    mkdirSync(join(data, "tarballs"), { recursive: true });
    writeFileSync(join(data, "tarballs", "11111111-0000-4000-8000-000000000000.partial"), "half");
    await start({ data });
    expect(readdirSync(join(data, "tarballs"))).toEqual([]);
  });
});
