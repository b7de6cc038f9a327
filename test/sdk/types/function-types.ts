/**
 * Type tests of functions: `npm test` compiles this file and never runs it. A line under @ts-expect-error must be an
 * error.
 */
import type * as pulumi from "@pulumi/pulumi";
import type { DeploymentInfo, ThreadStateInfo } from "../../../sdk/nodejs";
import * as agentgraph from "../../../sdk/nodejs";

declare const text: pulumi.Output<string>;
declare const provider: agentgraph.Provider;
declare const otherProvider: pulumi.ProviderResource;
declare const component: pulumi.ComponentResource;

export async function plain(): Promise<void> {
  const deployment: DeploymentInfo = await agentgraph.getDeployment({ name: "a" });
  const cpu: number | undefined = deployment.sourceConfig?.resourceSpec?.cpu;
  const secrets: Record<string, string> | undefined = deployment.secrets;
  const ids: string[] = (await agentgraph.getDeployments({ deploymentType: "prod", withSecrets: true })).map(
    ({ id }) => id,
  );
  const state: ThreadStateInfo = await agentgraph.getThreadState({ deploymentId: "d", threadId: "t" });
  const messages: unknown = state.values?.messages;
  const label: unknown = (await agentgraph.getThread({ deploymentUrl: "https://a", threadId: "t" })).metadata?.label;
  const listeners: string[] = (await agentgraph.getListeners()).map(({ id }) => id);
  const threads = await agentgraph.getThreads({ deploymentId: "d", metadata: { team: "x" }, sortBy: "created_at" });
  const concierge = await agentgraph.getAssistant({ deploymentId: "d", name: "a" });
  const limit: number | undefined = concierge.config?.recursionLimit;
  const inRed: string = (await agentgraph.getDeployment({ name: "a" }, { provider, parent: component })).id;
  void [inRed, limit, cpu, secrets, ids, messages, label, listeners, threads];
}

/** Inputs at every argument; Outputs whose fields are lifted. */
export const id: pulumi.Output<string> = agentgraph.getDeploymentOutput({ name: text }).id;
export const url: pulumi.Output<string | undefined> = agentgraph.getDeploymentOutput({ id: text }, { provider }).url;
export const key: pulumi.Output<string | undefined> = agentgraph
  .getDeploymentOutput({ id: text })
  .secrets.apply(({ KEY }) => KEY);
export const afterwards: pulumi.Output<string> = agentgraph.getDeploymentOutput(
  { name: "a" },
  { parent: component, dependsOn: [component, text.apply(() => component)] },
).id;
export const token: pulumi.Output<string> = agentgraph.getPushTokenOutput({ deploymentId: text }).token;
export const names: pulumi.Output<string[]> = agentgraph
  .getDeploymentsOutput({ tagValueIds: [text, "t"], status: text }, { provider })
  .apply((all) => all.map(({ name }) => name));
export const threads = agentgraph.getThreadsOutput({ deploymentId: text, metadata: { team: text } });

export const assistant = agentgraph.getAssistantOutput({ deploymentId: text, assistantId: text }).assistantId;
export const webhook: pulumi.Output<string | undefined> = agentgraph.getCronOutput({
  deploymentId: text,
  cronId: text,
}).webhook;

export const errors = [
  // @ts-expect-error neither `name` nor `id`
  () => agentgraph.getDeployment({}),
  // @ts-expect-error both of them
  () => agentgraph.getDeployment({ name: "a", id: "b" }),
  // @ts-expect-error a server, but neither ID nor name of the assistant
  () => agentgraph.getAssistant({ deploymentId: "d" }),
  // @ts-expect-error both servers
  () => agentgraph.getAssistant({ deploymentId: "d", deploymentUrl: "https://a", name: "a" }),
  // @ts-expect-error no argument at all
  () => agentgraph.getDeployment(),
  // @ts-expect-error a misspelled argument
  () => agentgraph.getDeployments({ nameContain: "a" }),
  // @ts-expect-error the plain form takes no Outputs
  () => agentgraph.getDeployment({ name: text }),
  // @ts-expect-error only the form that returns an Output can wait
  () => agentgraph.getDeployment({ name: "a" }, { dependsOn: provider }),
  // @ts-expect-error a Provider that is not ours
  () => agentgraph.getDeployment({ name: "a" }, { provider: otherProvider }),
  // @ts-expect-error the result for one object always has its secrets
  () => agentgraph.getDeploymentOutput({ name: "a", withSecrets: true }),
  // @ts-expect-error a function without arguments
  () => agentgraph.getListeners({ id: "a" }),
  // @ts-expect-error where the thread is
  () => agentgraph.getThread({ threadId: "t" }),
  // @ts-expect-error what may be absent is not simply a text
  (): pulumi.Output<string> => agentgraph.getDeploymentOutput({ name: "a" }).url,
];
