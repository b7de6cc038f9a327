/** Deployments without content, for checks: nothing is built or runs. */
import { type Api, ok, type Reply } from "../target/http.ts";
import { controlPlaneOf, DEPLOYMENTS, type Subject } from "./check.ts";

/** Returns the body of a create without content. */
export const emptyBody = (name: string, more: object = {}) => ({
  ...{ name, source: "internal_docker", source_config: {}, source_revision_config: {}, secrets: [] },
  ...more,
});

/** Requests a deployment; with a type where the server requires one, which others reject. */
export async function request(api: Api, body: ReturnType<typeof emptyBody>): Promise<Reply> {
  const reply = await api.post(DEPLOYMENTS, body);
  if (ok(reply) || !JSON.stringify(reply.body ?? "").includes("deployment_type")) return reply;
  return api.post(DEPLOYMENTS, { ...body, source_config: { ...body.source_config, deployment_type: "dev" } });
}

/** Deletes a deployment, at once where the server can. */
export async function remove(api: Api, id: string): Promise<void> {
  await api.delete(`${DEPLOYMENTS}/${id}`);
  await api.delete(`${DEPLOYMENTS}/${id}?force=true`);
}

/** Returns the response to a create that must not last. @param suffix Ends the name, which may stay reserved. */
export async function tryCreate(subject: Subject, suffix: string, more: object): Promise<Reply> {
  const reply = await request(controlPlaneOf(subject), emptyBody(`${subject.name}-${suffix}`, more));
  if (ok(reply)) await remove(controlPlaneOf(subject), reply.body.id);
  return reply;
}
