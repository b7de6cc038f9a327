/** The component AgentService: which resources it creates, of the classes of dynamic or native resources. */
import * as pulumi from "@pulumi/pulumi";
import { AGENT_SERVICE } from "../../../provider/components/agent-service";
import { nativeToken } from "../../../provider/definition/type-token";
import type * as types from "../resources";
import type { AgentServiceArgs, AgentServiceOutputs, AnyContexts, ServiceContexts } from "./args";
import { problemsOf } from "./check-args";

export type { AnyContexts, ServiceContexts };

/** The classes of the resources of a service. */
export interface ServiceClasses {
  readonly Deployment: types.DeploymentClass;
  readonly Assistant: types.AssistantClass;
  readonly Cron: types.CronClass;
  readonly Thread: types.ThreadClass;
  readonly BulkExportDestination: types.BulkExportDestinationClass;
  readonly ScheduledBulkExport: types.ScheduledBulkExportClass;
}

/** @typeParam Contexts The types of the contexts of its assistants, by their keys. */
export interface AgentService<Contexts extends ServiceContexts = AnyContexts>
  extends pulumi.ComponentResource,
    AgentServiceOutputs {
  readonly deployment: types.Deployment;
  /** The assistants, by their keys. */
  readonly assistants: { readonly [Key in keyof Contexts]: types.Assistant<Contexts[Key]> };
  /** The crons, by their keys. */
  readonly crons: Readonly<Record<string, types.Cron>>;
  readonly thread: types.Thread | undefined;
  readonly nightlyExport: types.ScheduledBulkExport | undefined;
  readonly destination: types.BulkExportDestination | undefined;
}

export interface AgentServiceClass {
  /**
   * @param options Those of a component. Its `customTimeouts` also apply to its resources.
   * @throws pulumi.RunError for a field that no service has, and for an object whose keys are not known.
   */
  new <Contexts extends ServiceContexts = AnyContexts>(
    name: string,
    args: NoInfer<AgentServiceArgs<Contexts>>,
    options?: pulumi.ComponentResourceOptions,
  ): AgentService<Contexts>;
  /** Returns whether a value is an AgentService, including one of another copy of this package. */
  isInstance(value: unknown): value is AgentService;
}

/**
 * Returns the component whose resources are of these classes. Its type, and the names of the resources, are those of
 * every language.
 */
export function agentServiceOf(classes: ServiceClasses): AgentServiceClass {
  const token = nativeToken(AGENT_SERVICE);
  const serviceClass = class extends pulumi.ComponentResource {
    static override isInstance(value: unknown): value is pulumi.ComponentResource {
      return pulumi.ComponentResource.isInstance(value) && Reflect.get(value, "__pulumiType") === token;
    }

    constructor(name: string, args: AgentServiceArgs, options: pulumi.ComponentResourceOptions = {}) {
      const problems = problemsOf(args);
      if (problems.length > 0)
        throw new pulumi.RunError(problems.map((problem) => `${AGENT_SERVICE} "${name}": ${problem}`).join("\n"));
      super(token, name, {}, options);
      const resources = createResources(classes, name, args, {
        parent: this,
        // The engine applies those of a component to nothing.
        ...(options.customTimeouts && { customTimeouts: options.customTimeouts }),
      });
      const outputs = outputsOf(resources);
      Object.assign(this, resources, outputs);
      this.registerOutputs(outputs);
    }
  };
  Object.defineProperty(serviceClass, "name", { value: AGENT_SERVICE });
  return serviceClass as unknown as AgentServiceClass;
}

type Resources = Omit<AgentService, keyof pulumi.ComponentResource | keyof AgentServiceOutputs>;

function createResources(
  classes: ServiceClasses,
  name: string,
  { deployment: inputs, assistants: assistantInputs, crons: cronInputs, thread, nightlyExport }: AgentServiceArgs,
  own: pulumi.CustomResourceOptions,
): Resources {
  const deployment = new classes.Deployment(name, inputs, own);
  const at = { deploymentId: deployment.id };
  // The server deletes them with the deployment, so a destroy sends no requests for them.
  const inside = { ...own, deletedWith: deployment };
  const assistants = mapOf(
    assistantInputs,
    (assistant, key) => new classes.Assistant(`${name}-${key}`, { ...assistant, ...at }, inside),
  );
  const crons = mapOf(cronInputs, ({ assistant, ...cron }, key) => {
    const assistantId = assistant == null ? cron.assistantId : assistants[assistant]?.id;
    // Checked: it has one of the two.
    const args = { ...cron, ...at, assistantId: assistantId as pulumi.Input<string> };
    return new classes.Cron(`${name}-${key}-cron`, args, inside);
  });
  return {
    deployment,
    assistants,
    crons,
    thread: thread ? new classes.Thread(`${name}-thread`, { ...thread, ...at }, inside) : undefined,
    ...exportOf(classes, name, { nightlyExport, deployment }, own),
  };
}

function exportOf(
  classes: ServiceClasses,
  name: string,
  { nightlyExport, deployment }: Pick<AgentServiceArgs, "nightlyExport"> & Pick<AgentService, "deployment">,
  own: pulumi.CustomResourceOptions,
): Pick<Resources, "nightlyExport" | "destination"> {
  if (!nightlyExport) return { nightlyExport: undefined, destination: undefined };
  const { destination: bucket, ...inputs } = nightlyExport;
  const destination = bucket ? new classes.BulkExportDestination(`${name}-destination`, bucket, own) : undefined;
  const bulkExportDestinationId = destination?.id ?? inputs.bulkExportDestinationId;
  const args = {
    ...inputs,
    // Checked: it has one of the two.
    bulkExportDestinationId: bulkExportDestinationId as pulumi.Input<string>,
    sessionId: deployment.tracingProjectId,
    // As the argument says. Another interval is a ScheduledBulkExport beside the service.
    intervalHours: 24,
  };
  return { nightlyExport: new classes.ScheduledBulkExport(`${name}-export`, args, own), destination };
}

function outputsOf({ deployment, assistants, crons, ...resources }: Resources): AgentServiceOutputs {
  const idOf = (resource: pulumi.CustomResource | undefined) => pulumi.output(resource?.id);
  const idsOf = (all: Readonly<Record<string, pulumi.CustomResource>>) => pulumi.output(mapOf(all, ({ id }) => id));
  return {
    deploymentId: deployment.id,
    url: deployment.url,
    activeRevisionId: deployment.activeRevisionId,
    tracingProjectId: deployment.tracingProjectId,
    assistantIds: idsOf(assistants),
    cronIds: idsOf(crons),
    threadId: idOf(resources.thread),
    nightlyExportId: idOf(resources.nightlyExport),
    destinationId: idOf(resources.destination),
  };
}

const mapOf = <T, R>(values: Readonly<Record<string, T>> | undefined, create: (value: T, key: string) => R) =>
  Object.fromEntries(Object.entries(values ?? {}).map(([key, value]) => [key, create(value, key)]));
