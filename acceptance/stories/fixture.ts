/** A deployment that a story creates by direct requests, as others have created theirs before they adopt the package. */
import { describe, ok, type Reply } from "../target/http.ts";
import { waitForRevision } from "./rollouts.ts";
import { expect, type Told } from "./story.ts";

/** Creates a deployment of the image, and waits until it is live. */
export async function createDeployment(
  told: Told,
  secrets: readonly { name: string; value: string }[] = [],
): Promise<{ created: Reply; live: Reply }> {
  const { server, options } = told.run;
  const { controlPlane } = server;
  if (!controlPlane) throw new Error("A story without a control plane creates a deployment.");
  const created = await controlPlane.post("/v2/deployments", {
    ...{ name: told.name, source: "external_docker", source_config: { resource_spec: { cpu: 1, memory_mb: 1024 } } },
    source_revision_config: { image_uri: options.image },
    secrets,
  });
  expect(ok(created), "a deployment is created", describe(created));
  await waitForRevision(told.run, created.body.id, "none");
  return { created, live: await controlPlane.get(`/v2/deployments/${created.body.id}`) };
}
