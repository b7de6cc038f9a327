/** Sending a folder as the source of a deployment: an upload address, the tarball, and the path to name in a PATCH. */
import type { DeploymentBody } from "../../api/control-plane";
import type { Context } from "../../definition";
import type { Inputs } from "./inputs";

/** Loaded when a program has a folder to send: others need neither the ignore rules nor the packing. */
const folders = () => require("./source-folder") as typeof import("./source-folder");

/** The digest that is compared in place of the folder's path. */
export const digestOf = (folder: string): Promise<string> => folders().digestOf(folder);

/** @throws SourceError when there is a folder to send and the service would not take it. */
export async function assertSendable({ sourcePath }: Inputs): Promise<void> {
  if (sourcePath !== undefined) await folders().assertFits(sourcePath);
}

/** The body with the object path of the freshly uploaded folder. */
export async function withSource(
  id: string,
  { sourcePath }: Inputs,
  body: DeploymentBody | undefined,
  ctx: Context,
): Promise<DeploymentBody> {
  if (sourcePath === undefined) return body ?? {};
  const sourceTarballPath = await folders().withTarball(sourcePath, async (tarball) => {
    ctx.progress(`uploading ${Math.ceil(tarball.size / 1024)} KiB`);
    const { url, headers, objectPath } = await ctx.controlPlane.createUpload(id);
    await ctx.upload(url, headers, tarball);
    return objectPath;
  });
  return { ...body, sourceRevisionConfig: { ...body?.sourceRevisionConfig, sourceTarballPath } };
}
