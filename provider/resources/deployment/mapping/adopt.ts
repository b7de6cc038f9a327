/** Converts a remote deployment to inputs as a user would write them, without server defaults. */
import { isDeleting } from "../../../api/control-plane/client";
import { type ResourceSpec, specOfOthers } from "../../../api/control-plane/resource-spec";
import { type AgentBinding, MARKER, nameOfAgent } from "../../../api/control-plane/schemas";
import type { AdoptFacts } from "../../../definition/definition";
import { type Listing, MANAGED, noArgs } from "../../../definition/listing";
import type { PropertyMap } from "../../../schema/schema";
import { PAID_CLASS } from "../schema/choices";

/** Why a program cannot declare some deployments. */
export const NAMELESS = "has no name, and the server does not show the agent that it runs";

/** What a missing list of secrets means for a program. It names no deployment, so that all of them share one note. */
export const SECRETS_OMITTED =
  "The server does not return which secrets a deployment has, and a change of one replaces all of them. Before you " +
  "declare or change any, declare all that it has.";

type Named = { name?: string };

export const listing: Listing = {
  args: noArgs,
  pages: (_args, { controlPlane }) => controlPlane.listDeployments(),
  detailsOf: ({ secrets }) =>
    (secrets as Named[] | null | undefined)?.some(({ name }) => name === MARKER) ? [MANAGED] : [],
};

export const adopt: AdoptFacts = {
  noun: "deployment",
  isNamed: true,
  title: ({ id, name, agent }) => String(name) || (agent ? nameOfAgent(agent as AgentBinding) : id),
  skip: ({ name, status, agent, isPreview, unreadable }) => {
    if (unreadable) return "the server describes it in a form that is not known";
    if (isDeleting({ status: String(status) })) return "it is being deleted";
    if (isPreview) return "it is a preview that the platform made for a change";
    return name === "" && !agent ? `it ${NAMELESS}` : undefined;
  },
  async fetch(id, _container, { clients }) {
    const remote = await clients.deploymentCache.findById(id);
    return remote && !isDeleting(remote) ? { ...remote } : undefined;
  },
  toInputs: (remote, _container, { controlPlaneUrl }) => toInputs(remote, controlPlaneUrl?.origin),
};

/** @param serverOrigin The origin of the URLs that the server assigns to agents, unless they contain the ID. */
function toInputs(remote: PropertyMap, serverOrigin: string | undefined): PropertyMap {
  const { resourceSpec, customUrl, buildOnPush, deploymentType, ...config } = (remote.sourceConfig ?? {}) as {
    resourceSpec?: ResourceSpec | null;
    customUrl?: string | null;
    buildOnPush?: boolean;
    deploymentType?: string | null;
  };
  const isServerUrl = customUrl == null || isAssignedUrl(customUrl, String(remote.id), serverOrigin);
  return {
    ...remote,
    // Reading the deployment adds its secrets by name, as inputs declare them.
    ...{ secrets: undefined, environment: undefined, secretReferences: undefined },
    // Servers may show an agent for each deployment. A program declares one of both.
    ...(remote.name === "" ? { name: nameOfAgent(remote.agent as AgentBinding) } : { agent: undefined }),
    // The response does not show whether a user chose it, and an undeclared version stays unchanged.
    imageVersion: undefined,
    sourceConfig: {
      ...config,
      // A server assigns the free form of a class by itself.
      ...(deploymentType != null && { deploymentType: PAID_CLASS.get(deploymentType) ?? deploymentType }),
      ...(!isServerUrl && { customUrl }),
      // False is the default.
      ...(buildOnPush && { buildOnPush }),
      // Omits what the defaults derive from other fields (API `2A.ResourceSpec`).
      ...(resourceSpec && { resourceSpec: specOfOthers(resourceSpec) }),
    },
  };
}

/** Whether the server assigned a URL: it contains the deployment's ID or has the origin of the server. */
function isAssignedUrl(url: string, id: string, serverOrigin: string | undefined): boolean {
  return url.includes(id) || (URL.canParse(url) && new URL(url).origin === serverOrigin);
}
