/** Functions of the Pulumi SDK that its types omit. Its own server of components consists of them. */
import type { Inputs, Resource, ResourceHookBinding } from "@pulumi/pulumi";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import * as server from "@pulumi/pulumi/provider/server";
import * as config from "@pulumi/pulumi/runtime/config";
import * as resource from "@pulumi/pulumi/runtime/resource";
import * as settings from "@pulumi/pulumi/runtime/settings";
import * as state from "@pulumi/pulumi/runtime/state";

interface Server {
  deserializeInputs(
    inputs: ReturnType<ConstructRequest["getInputs"]>,
    dependencies: ReturnType<ConstructRequest["getInputdependenciesMap"]>,
  ): Promise<Inputs>;
}

interface Settings {
  /** Asks the engine what it supports. */
  awaitFeatureSupport(): Promise<void>;
  /** Resolves when no request to the engine is open. */
  waitForRPCs(): Promise<void>;
}

interface State {
  /** Calls a function with settings of its own, so that several programs do not mix. */
  withLocalStorage<T>(run: () => Promise<T>): Promise<T>;
}

interface Hooks {
  /** Refers to the hooks that a program has registered, by their names. */
  hookBindingFromProto(hooks: ReturnType<ConstructRequest["getResourceHooks"]>): ResourceHookBinding | undefined;
}

interface Config {
  setAllConfig(values: Record<string, string>, secretKeys: string[]): void;
}

export const { deserializeInputs } = server as unknown as Server;
export const { withLocalStorage } = state as unknown as State;
export const { hookBindingFromProto } = resource as unknown as Hooks;
const { awaitFeatureSupport, waitForRPCs } = settings as unknown as Settings;

export { waitForRPCs };

/** Connects the program of a request to the engine. */
export async function connect(request: ConstructRequest, engine: string): Promise<void> {
  settings.resetOptions(
    ...([request.getProject(), request.getStack(), request.getParallel(), engine] as const),
    ...([request.getMonitorendpoint(), request.getDryrun(), request.getOrganization()] as const),
  );
  await awaitFeatureSupport();
  const values = Object.fromEntries(request.getConfigMap().getEntryList());
  (config as unknown as Config).setAllConfig(values, request.getConfigsecretkeysList());
}

/** The URNs of the resources that each property depends on. */
export async function urnsOf(dependencies: ReadonlyMap<string, ReadonlySet<Resource>>): Promise<[string, string[]][]> {
  const promiseOf = ({ urn }: Resource) => (urn as unknown as { promise(): Promise<string> }).promise();
  return Promise.all(
    [...dependencies].map(
      async ([key, resources]) => [key, await Promise.all([...resources].map(promiseOf))] as [string, string[]],
    ),
  );
}
