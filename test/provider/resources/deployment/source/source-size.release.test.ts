import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import zlib from "node:zlib";
import { createAgentFolder, internalSource } from "../../../../support/deployments/source-folder";
import { failureOf } from "../../../../support/errors";
import { startPlatform } from "../../../../support/platform";
import { Stack } from "../../../../support/stack";

/** Disables compression, because gzip takes ten seconds for an incompressible folder. */
async function withoutCompression<T>(act: () => Promise<T>): Promise<T> {
  const { createGzip } = zlib;
  const put = (value: () => zlib.Gzip) => Object.defineProperty(zlib, "createGzip", { value, configurable: true });
  put(() => createGzip({ level: 0 }));
  try {
    return await act();
  } finally {
    put(createGzip);
  }
}

it("a Deployment from a folder beyond the server's limit is rejected before anything is created", async () => {
  const folder = createAgentFolder();
  writeFileSync(join(folder, "weights.bin"), "");
  truncateSync(join(folder, "weights.bin"), 201 * 1024 * 1024);
  const platform = await startPlatform();
  const refused = await withoutCompression(() =>
    failureOf(new Stack(platform).up(internalSource({ sourcePath: folder }))),
  );
  expect(refused.message).toMatch(/a 20\d MiB archive; the limit is 200 MiB.*agentgraphignore/s);
  expect(platform.requests().filter((request) => !request.startsWith("GET"))).toEqual([]);
});
