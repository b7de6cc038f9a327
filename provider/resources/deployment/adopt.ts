/** What a person would declare of a deployment: without what the server filled in by itself. */
import { mergeSpec, type ResourceSpec } from "../../api/control-plane/resource-spec";
import type { AdoptFacts } from "../../definition/adopt";
import type { PropertyMap } from "../../schema/schema";
import { isLeaving } from "../shared/not-found";

export const adopt: AdoptFacts = {
  plural: "deployments",
  singular: "deployment",
  listedBy: "getDeployments",
  isNamed: true,
  title: ({ name }) => String(name),
  skip: ({ status }) => (isLeaving({ status: String(status) }) ? "it is being deleted" : undefined),
  toInputs: (remote, { origins }) => toInputs(remote, origins),
  references: {},
};

/** @param own Origins at which a service serves agents by itself. */
function toInputs(told: PropertyMap, own: readonly string[]): PropertyMap {
  const { resourceSpec, customUrl, buildOnPush, ...config } = (told.sourceConfig ?? {}) as {
    resourceSpec?: ResourceSpec;
    customUrl?: string;
    buildOnPush?: boolean;
  };
  const isOwn = customUrl === undefined || isServers(customUrl, String(told.id), own);
  return {
    ...told,
    // Nothing says whether somebody chose it, and undeclared it stays as it is.
    imageVersion: undefined,
    sourceConfig: {
      ...config,
      ...(!isOwn && { customUrl }),
      // False is what absence comes to, and says that pushes do nothing.
      ...(buildOnPush && { buildOnPush }),
      // Without what follows from other fields by the default rules (interface section 2, ResourceSpec).
      ...(resourceSpec && { resourceSpec: mergeSpec(resourceSpec, {}, {}) }),
    },
  };
}

/** An address that nobody chose: it holds the deployment's id, or is one of the service's own. */
function isServers(url: string, id: string, own: readonly string[]): boolean {
  return url.includes(id) || (URL.canParse(url) && own.includes(new URL(url).origin));
}
