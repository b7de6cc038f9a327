import { limits } from "../../../src/runtime/limits";
import { startDeployment } from "../../support/emulator";
import { internalSource, putTarball } from "../../support/tarballs";

// @covers 4A.upload
test("an upload URL accepts at most 200 MiB", async () => {
  const { client, id } = await startDeployment({ strict: true }, internalSource("agent"));
  const { upload_url } = (await client.post(`/deployments/${id}/upload-url`)).body;
  expect(await putTarball(upload_url, Buffer.alloc(limits.tarball.maxBytes))).toBe(200);
  expect(await putTarball(upload_url, Buffer.alloc(limits.tarball.maxBytes + 1))).toBe(413);
}, 240_000);
