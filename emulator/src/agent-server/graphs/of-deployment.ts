import { type DeploymentRecord, revisionById } from "../../control-plane/model/records";
import type { Context } from "../../runtime/context";
import { type GraphKind, graphKinds } from "../../runtime/options";
import type { Agent } from "../requests/auth";
import { builtInGraphs, type Graph } from "./built-in";

/** The usual name of the graph in an image. */
const defaultGraphName = "agent";

/**
 * Returns the graphs of a deployment by name: built-in graphs, the graphs of its uploaded configuration, and those set
 * by the option `graphs` or `/_emulator`. A name without a kind is an echo.
 */
export function graphsOf({ store, settings }: Context, deployment: DeploymentRecord): Record<string, GraphKind> {
  const { active_revision_id: active } = deployment;
  const source = active ? revisionById(store, active)?.plan.source : undefined;
  const additional = store.all(
    "SELECT name, kind FROM agent_graphs WHERE deployment_id = ? ORDER BY name",
    deployment.id,
  );
  return {
    ...Object.fromEntries(graphKinds.map((kind) => [kind, kind])),
    ...Object.fromEntries((source?.graphs ?? [defaultGraphName]).map((name) => [name, kindForName(name)])),
    ...settings.graphs,
    ...Object.fromEntries(additional.map(({ name, kind }) => [name, kind as GraphKind])),
  };
}

/** Replaces the additional graphs of a deployment. */
export function setGraphs({ store }: Context, deploymentId: string, graphs: Readonly<Record<string, GraphKind>>): void {
  store.run("DELETE FROM agent_graphs WHERE deployment_id = ?", deploymentId);
  for (const [name, kind] of Object.entries(graphs))
    store.upsert("agent_graphs", { deployment_id: deploymentId, name, kind });
}

function kindForName(name: string): GraphKind {
  return graphKinds.find((kind) => kind === name) ?? "echo";
}

/** Returns the graph of this name; undefined if the deployment has none. */
export function findGraph(
  context: Context,
  { deployment }: Pick<Agent, "deployment">,
  name: string,
): Graph | undefined {
  const graphs = graphsOf(context, deployment);
  const kind = Object.hasOwn(graphs, name) ? graphs[name] : undefined;
  if (kind === undefined) return undefined;
  // The nodes and the context of the user's own graph are unknown, so any are accepted.
  return name === kind ? builtInGraphs[kind] : { ...builtInGraphs[kind], acceptsAnyNode: true, schemas: undefined };
}
