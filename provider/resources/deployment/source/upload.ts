/** Sending a folder as the source of a deployment: an upload address, the tarball, and the path to name in a PATCH. */
import { statSync } from "node:fs";
import type { DeploymentBody } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import type { Inputs } from "../inputs";

/** Loaded when a program has something to upload: others need neither the ignore rules nor the packing. */
function loadSourceModule(
  path: string,
): Pick<typeof import("./source-folder"), "computeDigest" | "assertFits" | "withTarball"> {
  const isTarball = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isTarball
    ? (require("./source-tarball") as typeof import("./source-tarball"))
    : (require("./source-folder") as typeof import("./source-folder"));
}

/** The digest that is compared in place of the path of the folder, or of the tarball. */
export const computeDigest = (path: string): Promise<string> => loadSourceModule(path).computeDigest(path);

/** @throws SourceError when there is something to upload and the server would not take it. */
export async function assertUploadable({ sourcePath }: Inputs): Promise<void> {
  if (sourcePath !== undefined) await loadSourceModule(sourcePath).assertFits(sourcePath);
}

/** The body with the object path of the freshly uploaded folder. */
export async function uploadSource(
  id: string,
  { sourcePath }: Inputs,
  body: DeploymentBody | undefined,
  ctx: Context,
): Promise<DeploymentBody> {
  if (sourcePath === undefined) return body ?? {};
  const sourceTarballPath = await loadSourceModule(sourcePath).withTarball(sourcePath, async (tarball) => {
    ctx.log.progress(`uploading ${Math.ceil(tarball.size / 1024)} KiB`);
    const { url, headers, objectPath } = await ctx.clients.controlPlane.createUpload(id, { withHeaders: true });
    await ctx.clients.upload(url, headers, tarball);
    return objectPath;
  });
  return { ...body, sourceRevisionConfig: { ...body?.sourceRevisionConfig, sourceTarballPath } };
}
