/** What a preview says of changes: what they do to the live service, and which of them come to nothing. */

import { type ChangedValue, showChange } from "../../definition/changed-values";
import type { Complaint, Outlook } from "../../definition/definition";
import type { Inputs } from "./inputs";
import { below } from "./mapping";
import type { State } from "./outputs";

export const LOSES = "its database and threads";

/** Paths whose old and new values stand in the preview. */
export const SHOWN = [
  "name",
  "sourceRevisionConfig.imageUri",
  "sourceRevisionConfig.repoRef",
  "sourceRevisionConfig.agentgraphConfigPath",
  "sourceConfig.resourceSpec",
];

/** What a change of a path does to the live service, for the preview; the first that fits. */
const EFFECTS: [prefix: string, effect: string][] = [
  ["sourceRevisionConfig", "new revision"],
  ["secrets", "new revision"],
  ["sourceConfig.resourceSpec", "new revision"],
  ["redeployTriggers", "new revision"],
  ["sourceDigest", "new revision"],
  ["secretReferences", "takes effect with the next revision"],
  ["sourceConfig.installCommand", "takes effect with the next revision"],
  ["sourceConfig.buildCommand", "takes effect with the next revision"],
  ["waitFor", "changes nothing on the service"],
  ["rollbackOnFailure", "changes nothing on the service"],
  ["", "in place"],
];

const IF_ANOTHER = "new revision only where the service holds another value";

/** One line for the resource's row: "new revision: imageUri; in place: buildOnPush". */
export function explain(
  changes: readonly string[],
  replaces: readonly string[],
  { unseen = [], values = [] }: Pick<Outlook<Inputs, State>, "unseen" | "values"> = {},
): string {
  const shortNames = (paths: readonly string[]) => paths.map((path) => shortName(path, values)).join(", ");
  if (replaces.length > 0) return `REPLACED, ${LOSES} are lost: ${shortNames(replaces)}`;
  const effectOf = (path: string) => EFFECTS.find(([prefix]) => prefix === "" || below([path], prefix))?.[1] ?? "";
  const byEffect = Map.groupBy(changes, (path) => (unseen.includes(path) ? IF_ANOTHER : effectOf(path)));
  return [...byEffect].map(([effect, paths]) => `${effect}: ${shortNames(paths)}`).join("; ");
}

function shortName(path: string, values: readonly ChangedValue[]): string {
  const changed = values.find((value) => value.path === path);
  const name = path.replace(/^source(Revision)?Config\./, "");
  return changed ? `${name} ${showChange(changed)}` : name;
}

const REMEDIES: Partial<Record<Inputs["source"], string>> = {
  internal_docker: "sourceRevisionConfig.imageUri, or, if one was pushed by other means, run `pulumi refresh` first.",
  internal_source: "sourcePath, or, if a tarball was deployed by other means, run `pulumi refresh` first.",
};

/** Some sources are created without content, and until there is some there is nothing to run. */
export function caution(
  changes: readonly string[],
  { inputs, previous }: Outlook<Inputs, State>,
): Complaint | undefined {
  const remedy = inputs.source && REMEDIES[inputs.source];
  const what = inputs.source === "internal_docker" ? "image" : "source";
  const isDeclared = hasContent(inputs) || below(changes, "sourceRevisionConfig") || below(changes, "sourceDigest");
  if (!remedy || previous.activeRevisionId != null || isDeclared) return undefined;
  if (below(changes, "secrets"))
    return {
      path: "secrets",
      reason: `the new revision can only fail, since there is no ${what} yet: write ${remedy}`,
    };
  if (below(changes, "redeployTriggers"))
    return {
      path: "redeployTriggers",
      reason: `there is no ${what} yet, so there is nothing to deploy: write ${remedy}`,
    };
  return undefined;
}

/** Whether a deployment of a source that can be created empty has something to run. */
export const hasContent = ({ sourcePath, sourceRevisionConfig }: Partial<Inputs>): boolean =>
  [sourcePath, sourceRevisionConfig?.imageUri, sourceRevisionConfig?.sourceTarballPath].some(
    (content) => content !== undefined,
  );
