/** What a person would declare of a deployment: without what the server filled in by itself. */
import { mergeSpec, type ResourceSpec } from "../../api/control-plane/resource-spec";
import type { AdoptFacts } from "../../definition/adopt";
import type { PropertyMap } from "../../schema/schema";
import { isDeleting } from "../shared/not-found";

export const adopt: AdoptFacts = {
  plural: "deployments",
  singular: "deployment",
  listedBy: "getDeployments",
  isNamed: true,
  title: ({ name }) => String(name),
  skip: ({ status }) => (isDeleting({ status: String(status) }) ? "it is being deleted" : undefined),
  toInputs: (remote, { origins }) => toInputs(remote, origins),
  references: {},
};

/** @param serverOrigins Origins at which a service serves agents by itself. */
function toInputs(remote: PropertyMap, serverOrigins: readonly string[]): PropertyMap {
  const { resourceSpec, customUrl, buildOnPush, ...config } = (remote.sourceConfig ?? {}) as {
    resourceSpec?: ResourceSpec;
    customUrl?: string;
    buildOnPush?: boolean;
  };
  const isServerUrl = customUrl === undefined || isAssignedUrl(customUrl, String(remote.id), serverOrigins);
  return {
    ...remote,
    // Nothing says whether somebody chose it, and undeclared it stays as it is.
    imageVersion: undefined,
    sourceConfig: {
      ...config,
      ...(!isServerUrl && { customUrl }),
      // False is what absence comes to, and says that pushes do nothing.
      ...(buildOnPush && { buildOnPush }),
      // Without what follows from other fields by the default rules (interface section 2, ResourceSpec).
      ...(resourceSpec && { resourceSpec: mergeSpec(resourceSpec, {}, {}) }),
    },
  };
}

/** An address that nobody chose: it holds the deployment's id, or is one of the service's own. */
function isAssignedUrl(url: string, id: string, serverOrigins: readonly string[]): boolean {
  return url.includes(id) || (URL.canParse(url) && serverOrigins.includes(new URL(url).origin));
}
