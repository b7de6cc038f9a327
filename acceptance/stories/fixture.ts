/**
 * A deployment that a story creates by direct requests, as others have created theirs before they adopt the package.
 */
import type { Options } from "../options.ts";
import { describe, ok, type Reply } from "../target/http.ts";
import { waitForRevision } from "./deployments/rollouts.ts";
import { expect, type Told } from "./story.ts";

/**
 * The listener that deployments on private infrastructure require, in the words of the API and as inputs of a resource.
 */
export function placeOf({ listener, namespace }: Options) {
  if (!listener) return { request: {}, inputs: {} };
  return {
    request: { listener_id: listener, ...(namespace && { listener_config: { k8s_namespace: namespace } }) },
    inputs: { listenerId: listener, ...(namespace && { listenerConfig: { k8sNamespace: namespace } }) },
  };
}

/** Requests a deployment of the image. */
export async function requestDeployment({ run, name }: Told, secrets: readonly Secret[] = []): Promise<Reply> {
  const { server, options } = run;
  if (!server.controlPlane) throw new Error("A story without a control plane creates a deployment.");
  const place = placeOf(options).request;
  return server.controlPlane.post("/v2/deployments", {
    ...{ name, source: "external_docker", secrets, source_revision_config: { image_uri: options.image } },
    source_config: { resource_spec: { cpu: 1, memory_mb: 1024 }, ...place },
  });
}
interface Secret {
  name: string;
  value: string;
}

/** Creates a deployment of the image, and waits until it is live. */
export async function createDeployment(told: Told, secrets?: readonly Secret[]): Promise<Known> {
  const created = await requestDeployment(told, secrets);
  expect(ok(created), "a deployment is created", describe(created));
  await waitForRevision(told.run, created.body.id, "none");
  const live = await told.run.server.controlPlane?.get(`/v2/deployments/${created.body.id}`);
  return { created, live: live ?? created };
}
/** The response that created a deployment, and the deployment when it was live. */
interface Known {
  created: Reply;
  live: Reply;
}
