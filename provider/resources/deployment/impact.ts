/** The impact of changes on the running agent, and warnings about changes without effect. */

import type { ImpactFacts, PreviewContext } from "../../definition/impact";
import type { CheckFailure } from "../../definition/rule";
import { hasPathUnder } from "./mapping";
import type { State } from "./schema/fields";
import type { Inputs } from "./schema/inputs";

export const impact: ImpactFacts<Inputs, State> = {
  replacement: "replace",
  loses: "its database and threads",
  onDelete: null,
  shortPath: (path) => path.replace(/^source(Revision)?Config\./, ""),
  onResume: ({ latestRevisionId, activeRevisionId }) =>
    latestRevisionId !== undefined && latestRevisionId === activeRevisionId
      ? { effect: "none", certain: true, note: "waits again until the agent server is healthy" }
      : {
          effect: "newRevision",
          certain: false,
          note: "retries the last one if it failed, otherwise keeps waiting for it",
        },
  warn,
};

const REMEDIES: Partial<Record<Inputs["source"], string>> = {
  internal_docker:
    "sourceRevisionConfig.imageUri, or run `pulumi refresh` first if an image was pushed outside of Pulumi.",
  internal_source: "sourcePath, or run `pulumi refresh` first if a tarball was deployed outside of Pulumi.",
};

/** Warns about changes that need content, for sources that can be created without any. */
function warn(
  changes: readonly string[],
  { inputs, previous }: PreviewContext<Inputs, State>,
): CheckFailure | undefined {
  const remedy = inputs.source && REMEDIES[inputs.source];
  const content = inputs.source === "internal_docker" ? "image" : "source";
  const isDeclared =
    hasContent(inputs) || hasPathUnder(changes, "sourceRevisionConfig") || hasPathUnder(changes, "sourceDigest");
  if (!remedy || previous.activeRevisionId != null || isDeclared) return undefined;
  if (hasPathUnder(changes, "secrets"))
    return {
      path: "secrets",
      reason: `the new revision will fail because there is no ${content} yet. Declare ${remedy}`,
    };
  if (hasPathUnder(changes, "redeployTriggers"))
    return {
      path: "redeployTriggers",
      reason: `there is no ${content} to deploy yet. Declare ${remedy}`,
    };
  return undefined;
}

/** Whether the inputs contain something to run, for sources that can be created without content. */
export const hasContent = ({ sourcePath, sourceRevisionConfig }: Partial<Inputs>): boolean =>
  [sourcePath, sourceRevisionConfig?.imageUri, sourceRevisionConfig?.sourceTarballPath].some(
    (content) => content !== undefined,
  );
