import type { PropertyMap } from "../../../provider/schema/schema";

/** Returns the inputs of a deployment from a container image. */
export function dockerDeployment(change: PropertyMap = {}): PropertyMap {
  return { source: "external_docker", name: "agent", ...withImage("1.0.0"), ...change };
}

export const REPO_URL = "https://git.example/team/agent";

/** Returns the inputs of a deployment from a repository. */
export const repository = (config: PropertyMap = {}, revision: PropertyMap = {}): PropertyMap => ({
  ...{ source: "githost", name: "agent", sourceConfig: { repoUrl: REPO_URL, ...config } },
  sourceRevisionConfig: { repoRef: "main", agentgraphConfigPath: "agentgraph.json", ...revision },
});

export const withImage = (tag: string) => ({ sourceRevisionConfig: { imageUri: `registry.example.com/agent:${tag}` } });
export const withResourceSpec = (resourceSpec: PropertyMap) => ({ sourceConfig: { resourceSpec } });

/** ID of the listener that every emulator has. */
export const LISTENER_ID = "22222222-2222-4222-8222-222222222222";
