/** The engine's calls about one kind of resource, for every host: that of dynamic resources, and the plugin. */
import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { ResourceData } from "../plan/facts";
import type { PlannedChange } from "../plan/plan-change";

/** Bound to what handles them. */
export interface Handlers {
  configure: (config: (key: string) => unknown) => Promise<void>;
  check: (olds: ResourceData, news: ResourceData) => Promise<CheckedInputs>;
  diff: (id: string, olds: ResourceData, news: ResourceData) => Promise<Difference>;
  /** Returns what a diff finds, without showing it again. */
  plan: (olds: ResourceData, news: ResourceData) => Promise<PlannedChange>;
  create: (inputs: ResourceData) => Promise<StoredResource>;
  /** Returns undefined when the object no longer exists. */
  read: (id: string, state: ResourceData) => Promise<(StoredResource & { inputs: ResourceData }) | undefined>;
  /** Returns the outputs. */
  update: (id: string, olds: ResourceData, news: ResourceData) => Promise<ResourceData>;
  delete: (id: string, state: ResourceData) => Promise<void>;
}

export interface CheckedInputs {
  inputs: ResourceData;
  failures: dynamic.CheckFailure[];
}

export interface Difference extends PlannedChange {
  /** Whether the engine would not see it in the inputs: they are as before, or `pulumi import --file` left some out. */
  isUnseen: boolean;
}

export interface StoredResource {
  id: string;
  outputs: ResourceData;
}
