/** The options of a component that a program in another language declares. */
import * as pulumi from "@pulumi/pulumi";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { hookBindingFromProto } from "./sdk-internals";

/**
 * @param provider The provider of the component, which its resources use unless the program names another one. The
 * engine would choose a default one by the version that a resource names, and a program may name none.
 */
export function optionsOf(request: ConstructRequest, provider: string | undefined): pulumi.ComponentResourceOptions {
  const [parent, deletedWith] = [request.getParent(), request.getDeletedwith()];
  const own: [string, string][] = provider === undefined ? [] : [["agentgraph", provider]];
  const providers = Object.fromEntries(
    [...own, ...request.getProvidersMap().getEntryList()].map(([name, reference]) => [
      name,
      new pulumi.DependencyProviderResource(reference),
    ]),
  );
  const [timeouts, hooks] = [timeoutsOf(request), hookBindingFromProto(request.getResourceHooks())];
  return {
    aliases: request.getAliasesList().map(aliasOf),
    dependsOn: request.getDependenciesList().map(dependency),
    providers,
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    ...(request.getReplaceWithList().length > 0 && { replaceWith: request.getReplaceWithList().map(dependency) }),
    ...(request.hasProtect() && { protect: request.getProtect() }),
    ...(request.hasRetainondelete() && { retainOnDelete: request.getRetainondelete() }),
    ...(parent && { parent: dependency(parent) }),
    ...(deletedWith && { deletedWith: dependency(deletedWith) }),
    ...(hooks && { hooks }),
    ...(timeouts && { customTimeouts: timeouts }),
  };
}

const dependency = (urn: string) => new pulumi.DependencyResource(urn);

/** Returns the time limits that are set; an absent one is an empty text. */
function timeoutsOf(request: ConstructRequest): pulumi.CustomTimeouts | undefined {
  const timeouts = request.getCustomtimeouts();
  if (!timeouts) return undefined;
  const { create, update, pb_delete } = timeouts.toObject();
  const all = { create, update, delete: pb_delete };
  return Object.fromEntries(Object.entries(all).filter(([, limit]) => limit));
}

function aliasOf(alias: Alias): string | pulumi.Alias {
  const spec = alias.getSpec();
  if (!spec) return alias.getUrn();
  const { name, type, stack, project } = spec.toObject();
  const given = Object.fromEntries(Object.entries({ name, type, stack, project }).filter(([, text]) => text));
  if (spec.hasParenturn()) return { ...given, parent: spec.getParenturn() };
  return spec.getNoparent() ? { ...given, parent: pulumi.rootStackResource } : given;
}
