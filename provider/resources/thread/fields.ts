/** What a user writes for a Thread, and what the server adds (interface section 2 B). */
import { z } from "zod";
import { superstep, threadMetadata, threadTtl } from "../../api/agent-server/schemas";
import { knownValue } from "../../api/known-values";
import { fieldMetadata } from "../../schema/schema";

/** The metadata key that says which resource made a thread, and with which inputs that no update can change. */
export const OWNERSHIP_KEY = "pulumi_thread";
/** The thread's own ID, where MARK is another one: a copy inherits both keys, and there this one names another thread. */
export const THREAD_ID_KEY = `${OWNERSHIP_KEY}_id`;
/** The resource alone, whatever its inputs: by it a thread is found that an earlier run made with other inputs. */
export const RESOURCE_KEY = `${OWNERSHIP_KEY}_resource`;
/** The one request that made it, by which a lost response is settled on servers that choose IDs. */
export const REQUEST_KEY = `${OWNERSHIP_KEY}_request`;
/** Whether a metadata key is one of ours. */
export const isReserved = (key: string): boolean => key === OWNERSHIP_KEY || key.startsWith(`${OWNERSHIP_KEY}_`);

export const inputs = z
  .strictObject({
    deploymentId: z
      .guid()
      .optional()
      .describe(
        "Id of the deployment whose agent server holds the thread; the control plane tells its address. This or `deploymentUrl`. A change replaces the thread, and its history is lost.",
      ),
    deploymentUrl: z
      .url()
      .register(fieldMetadata, { compare: "url" })
      .optional()
      .describe(
        "Base URL of an agent server that the control plane may not know, with its path if it has one; it wins when `deploymentId` is given too. A change replaces the thread, and its history is lost.",
      ),
    threadId: z
      .guid()
      .register(fieldMetadata, { compare: "uuid" })
      .optional()
      .describe(
        "Id that the thread shall have, a UUID; made from the resource's name and its fixed inputs when absent. Read `id` for the one it has. A change replaces the thread.",
      ),
    metadata: threadMetadata
      .optional()
      .describe(
        "Metadata by key, to find threads by: `graph_id` says which graph the thread belongs to. Keys that others add stay untouched; a key that is taken away, or null, becomes null on the server.",
      ),
    supersteps: z
      .array(superstep)
      .min(1)
      .optional()
      .describe(
        "State that the thread begins with, as steps applied in order; none when absent. Needs `metadata.graph_id`. A change replaces the thread.",
      ),
    copyFrom: z
      .guid()
      .register(fieldMetadata, { compare: "uuid" })
      .optional()
      .describe(
        "Id of a thread on the same agent server whose history the new one begins with; excludes `threadId` and `supersteps`. A change replaces the thread.",
      ),
    ttl: threadTtl
      .optional()
      .describe("How long the thread lives after its last change; the server decides when absent."),
    sensitive: z
      .boolean()
      .optional()
      .describe(
        "Whether metadata and supersteps are secret: encrypted in state and not shown in previews. False when absent. Changes nothing on the server.",
      ),
  })
  .register(fieldMetadata, { interface: "ThreadArgs" });
export type Inputs = z.infer<typeof inputs>;

export const outputs = z.object({
  url: z.string().describe("Base URL of the agent server that holds it."),
  tenantId: z
    .string()
    .optional()
    .describe("Workspace that owns its deployment; absent where `deploymentUrl` says where it is."),
  status: knownValue("ThreadStatus").describe(
    "`idle`, `busy`, `interrupted` or `error`, as it was when last looked at.",
  ),
  createdAt: z.string().optional().describe("When it was created; absent where the server does not tell."),
  updatedAt: z.string().optional().describe("When it last changed; absent where the server does not tell."),
});
export type State = z.infer<typeof outputs>;
