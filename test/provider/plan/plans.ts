/** Changes of a deployment, a thread and a schedule, and the lines that a preview shows for them. */
import type { Definition } from "../../../provider/definition/definition";
import { definitions } from "../../../provider/definitions";
import { type ChangeOptions, planChange } from "../../../provider/plan/plan-change";
import { OutputChanges } from "../../../provider/plan/planned-outputs";
import { renderImpacts } from "../../../provider/plan/render";
import type { PropertyMap } from "../../../provider/schema/schema";

export const definitionOf = (expected: string): Definition => {
  const found = definitions.find(({ kind }) => kind === expected);
  if (!found) throw new Error(`There is no ${expected}.`);
  return found;
};

export const URL_OF_AGENT = "https://agents.example.com/a";
export const PROJECT = "5f0c9a52-6d3f-4c1b-9a3e-2b7a1d7f4f10";
export const agent = {
  ...{ name: "agent", source: "external_docker", sourceRevisionConfig: { imageUri: "r.example.com/a:1" } },
  ...{ url: URL_OF_AGENT, tracingProjectId: PROJECT, activeRevisionId: "r1" },
};
export const thread = { deploymentUrl: URL_OF_AGENT, metadata: { team: "a" } };
export const schedule = {
  ...{ bulkExportDestinationId: "d", sessionId: PROJECT, startTime: "2026-01-01T00:00:00Z", intervalHours: 24 },
};

/** The line of a change, and whether the engine is told to replace. */
export function planned(kind: string, before: PropertyMap, after: PropertyMap, options: Partial<ChangeOptions> = {}) {
  const now = Date.parse("2026-01-11T00:00:00Z");
  const plan = planChange(definitionOf(kind), before, after, { now, isRequestedByProgram: true, ...options });
  return { line: renderImpacts(plan.changes), replaces: plan.replace?.paths };
}

/** A run that changes these inputs of the deployment. */
export function outputChanges(paths: readonly string[], isReplaced: boolean | "possibly" = false) {
  const knownInputs = new OutputChanges();
  knownInputs.note(definitionOf("Deployment"), { properties: agent, facts: {} }, paths, isReplaced);
  return { outputChangeOf: knownInputs.get };
}
