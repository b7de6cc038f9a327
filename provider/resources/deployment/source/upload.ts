/** Uploads the source of a deployment: requests an upload URL, sends the tarball, and returns its path for a PATCH. */
import type { DeploymentBody } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import type { Content } from "../../../http/client";
import type { Inputs } from "../schema/inputs";
import { loadSourceModule } from "./source-module";

/** @throws SourceError when the source exceeds the limit of the server. */
export async function assertUploadable({ sourcePath }: Pick<Inputs, "sourcePath">): Promise<void> {
  if (sourcePath !== undefined) await loadSourceModule(sourcePath).assertFits(sourcePath);
}

export async function uploadSource(
  id: string,
  { sourcePath, sourceRevisionConfig }: Inputs,
  body: DeploymentBody | undefined,
  ctx: Context,
): Promise<DeploymentBody> {
  if (sourcePath === undefined) return body ?? {};
  const packing = ctx.trace.start({ name: "pack source" });
  const upload = async (tarball: Content) => {
    packing?.set({ "agentgraph.source.bytes": tarball.size });
    packing?.end();
    ctx.log.progress(`uploading ${Math.ceil(tarball.size / 1024)} KiB`);
    const { url, headers, objectPath } = await ctx.clients.controlPlane.createUpload(id, { withHeaders: true });
    await ctx.clients.upload(url, headers, tarball);
    return objectPath;
  };
  const sourceTarballPath = await loadSourceModule(sourcePath)
    .withTarball(sourcePath, upload)
    .finally(() => packing?.end());
  // Some servers keep no revision fields of a create without a revision, and published clients send both.
  const agentgraphConfigPath = sourceRevisionConfig?.agentgraphConfigPath;
  return { ...body, sourceRevisionConfig: { agentgraphConfigPath, ...body?.sourceRevisionConfig, sourceTarballPath } };
}
