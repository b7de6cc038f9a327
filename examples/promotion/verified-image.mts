// Outside a Pulumi program, functions read their settings from the environment: AGENTGRAPH_CONTROL_PLANE_URL and
// AGENTGRAPH_API_KEY.
import * as agentgraph from "pulumi-agentgraph";

/**
 * Returns the image of the live revision of a deployment. The newest revision may be another one that failed.
 * @throws Error if the live revision is not the one that has passed its checks
 */
export async function verifiedImage(name: string, verifiedRevisionId: string | undefined): Promise<string> {
  const { id, activeRevisionId } = await agentgraph.getDeployment({ name });
  if (!activeRevisionId) throw new Error(`${name} has no live revision.`);
  if (activeRevisionId !== verifiedRevisionId)
    throw new Error(`The live revision of ${name} has not passed its checks. Run \`pulumi up\` in its stack.`);
  const revision = await agentgraph.getRevision({ deploymentId: id, revisionId: activeRevisionId });
  const image = revision.sourceRevisionConfig?.imageUri;
  if (!image) throw new Error(`The live revision of ${name} has no image.`);
  return image;
}
