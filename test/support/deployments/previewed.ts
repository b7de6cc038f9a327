/** What a preview says about declared inputs of a deployment, without a server. */
import { validate } from "../../../provider/plan/check";
import type { PropertyMap } from "../../../provider/schema/schema";
import { definitionOf } from "../../provider/plan/plans";
import { type CheckError, offlineStack } from "../stack";

/** Returns the paths that a preview rejects and its warnings. */
export async function preview(declared: PropertyMap): Promise<{ refused: string[]; warned: string[] }> {
  const stack = offlineStack();
  const refused = await stack.check(declared).then(
    () => [],
    (error: CheckError) => error.failures.map(({ property, reason }) => property || String(reason.split(" ")[0])),
  );
  return { refused, warned: stack.messages.filter((row) => row.startsWith("warn: ")) };
}

/** Returns what a check says of inputs, each with its path: failures and warnings. */
export function findings(inputs: PropertyMap, previous: PropertyMap = {}, ownerMarker = true): string[][] {
  const settings = { ownerMarker, vocabulary: { githost: "githost", agentgraph: "agentgraph" } };
  const { failures, warnings } = validate(definitionOf("Deployment"), inputs, { previous, settings });
  return [failures, warnings].map((all) => all.map(({ path, reason }) => `${path} ${reason}`));
}
