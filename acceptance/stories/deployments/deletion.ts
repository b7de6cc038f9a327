/** What the platform reports of deletions, seen at a deployment without content, which the step deletes. */
import type { Subject } from "../../statements/check.ts";
import { describe, ok } from "../../target/http.ts";
import type { Told } from "../story.ts";

const [ORDER, DELETING, DELETE, PROJECT, FORCE] = [
  "3.Deployment status:order",
  "3.Deployment status:deleting",
  "4A.DELETE /v2/deployments/{deployment_id}",
  "4A.DELETE:project",
  "4A.DELETE:force",
];
/** The facts. */
export const DELETION: readonly string[] = [ORDER, DELETING, DELETE, PROJECT, FORCE];

export async function lookAtDeletion(told: Told, { controlPlane, tracing, empty }: Subject): Promise<void> {
  const noneSeen = (ids: readonly string[], why: string) => {
    for (const id of ids) told.notSeen(id, why);
  };
  if (!controlPlane || !empty || !ok(empty))
    return noneSeen(DELETION, empty ? `the server creates none without content: ${describe(empty)}` : "no deployment");
  const path = `/v2/deployments/${empty.body.id}`;
  const { name } = empty.body;
  const projects = async () => (await tracing?.get(`/api/v1/sessions?name=${name}`))?.body;
  const hasProject = (await projects())?.[0]?.name === name;
  const { status: before } = (await controlPlane.get(path)).body;
  const early = await controlPlane.delete(`${path}?force=true`);
  if (ok(early)) {
    told.saw(FORCE, false, "a first deletion may be forced");
    return noneSeen([ORDER, DELETING, DELETE, PROJECT], "that deletion was the first one");
  }
  const withProject = await controlPlane.delete(`${path}?delete_tracing_project=true`);
  const deleted = ok(withProject) ? withProject : await controlPlane.delete(path);
  told.saw(DELETE, deleted.status === 204, describe(deleted));
  const { status } = (await controlPlane.get(path)).body ?? {};
  if (status === undefined) noneSeen([ORDER, DELETING], "a deployment is hidden when its deletion is accepted");
  else {
    told.saw(DELETING, /DELET/i.test(status), `the status ${status}`);
    const isOrdered = /^(AWAITING_DATABASE|READY)$/i.test(before) && /^AWAITING_(FINAL_)?DELETE$/i.test(status);
    told.saw(ORDER, isOrdered, `${before}, then ${status}`);
  }
  if (!ok(withProject)) told.saw(PROJECT, false, describe(withProject));
  else if (!hasProject) told.notSeen(PROJECT, "a deployment without content has no tracing project");
  else if ((await projects())?.length === 0) told.saw(PROJECT);
  else told.notSeen(PROJECT, "the project is still there a moment later");
  const forced = await controlPlane.delete(`${path}?force=true`);
  told.saw(
    FORCE,
    early.status === 400 && ok(forced),
    `before a deletion: ${describe(early)}, then: ${describe(forced)}`,
  );
}
