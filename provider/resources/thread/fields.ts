/** Inputs and outputs of a Thread (API `2B`). */
import { z } from "zod";
import { superstep, threadMetadata, threadTtl } from "../../api/agent-server/schemas";
import { knownValue } from "../../api/known-values";
import { fieldMetadata } from "../../schema/schema";

/** Metadata key of the ownership marker, which identifies the resource and its immutable inputs. */
export const OWNERSHIP_KEY = "pulumi_thread";
/** Metadata key of the thread's own ID, when it differs from the marker. On a copy it names another thread, which exposes the copy. */
export const THREAD_ID_KEY = `${OWNERSHIP_KEY}_id`;
/** Metadata key of the resource, independent of its inputs: finds threads that earlier runs created with other inputs. */
export const RESOURCE_KEY = `${OWNERSHIP_KEY}_resource`;
/** Metadata key of the create request: identifies its thread after a lost response on servers that assign IDs. */
export const REQUEST_KEY = `${OWNERSHIP_KEY}_request`;
/** Metadata key of the stack: an object of another resource of the same stack is not imported. */
export const STACK_KEY = `${OWNERSHIP_KEY}_stack`;
/** Whether a metadata key is reserved for the provider. */
export const isReserved = (key: string): boolean => key === OWNERSHIP_KEY || key.startsWith(`${OWNERSHIP_KEY}_`);

/** The optional route that updates threads (API `4B.PATCH /threads/{thread_id}`). */
export const UPDATE_ROUTE = "threads-patch";

export const inputs = z
  .strictObject({
    deploymentId: z
      .guid()
      .optional()
      .describe(
        "ID of the deployment whose agent server stores the thread. Specify this or `deploymentUrl`. A change replaces the thread and discards its history.",
      )
      .register(fieldMetadata, {
        replaces: true,
        container: "id",
        reference: { kind: "Deployment", output: "id", reason: "its deployment is replaced" },
      }),
    deploymentUrl: z
      .url()
      .register(fieldMetadata, { compare: "url" })
      .optional()
      .describe(
        "Base URL of the agent server, including its path, for a server outside the control plane. Takes precedence over `deploymentId`. A change replaces the thread and discards its history.",
      )
      .register(fieldMetadata, {
        replaces: true,
        container: "url",
        reference: {
          kind: "Deployment",
          output: "url",
          reason: "its deployment is replaced",
          condition: "if it is another server",
        },
      }),
    threadId: z
      .guid()
      .register(fieldMetadata, { compare: "givenUuid" })
      .optional()
      .describe(
        "Requested ID of the thread, a UUID. Defaults to one derived from the resource name and the immutable inputs. The output `id` is the ID it has. A change replaces the thread; without it, an existing thread is kept.",
      )
      .register(fieldMetadata, { replaces: true }),
    metadata: threadMetadata
      .optional()
      .describe(
        "Metadata by key, for searching; `graph_id` names the graph that the thread belongs to. Keys that others add are left unchanged. A key that is removed or set to null becomes null on the server.",
      )
      .register(fieldMetadata, { updateRoute: UPDATE_ROUTE, secret: "sensitive" }),
    supersteps: z
      .array(superstep)
      .min(1)
      .optional()
      .describe(
        "Initial state of the thread, as steps that are applied in order. Defaults to an empty thread. Requires `metadata.graph_id`. A change replaces the thread.",
      )
      .register(fieldMetadata, { replaces: true, secret: "sensitive" }),
    copyFrom: z
      .guid()
      .register(fieldMetadata, { compare: "uuid" })
      .optional()
      .describe(
        "ID of a thread on the same agent server to copy, including its history. Cannot be combined with `threadId` or `supersteps`. A change replaces the thread.",
      )
      .register(fieldMetadata, {
        replaces: true,
        reference: { kind: "Thread", output: "id", reason: "the thread it copies is replaced" },
      }),
    ttl: threadTtl
      .optional()
      .describe("How long the server keeps the thread after its last change. Defaults to the server's own setting.")
      .register(fieldMetadata, { updateRoute: UPDATE_ROUTE }),
    sensitive: z
      .boolean()
      .optional()
      .describe(
        "Whether to treat metadata and supersteps as secrets: encrypted in state and hidden in previews. Defaults to false. Has no effect on the server.",
      )
      .register(fieldMetadata, { effect: "none" }),
  })
  .register(fieldMetadata, {
    interface: "ThreadArgs",
    foreignFields: { values: "is the current state of a thread; declare the initial state with supersteps." },
  });
export type Inputs = z.infer<typeof inputs>;

export const outputs = z.object({
  url: z.string().describe("Base URL of the agent server that stores the thread."),
  tenantId: z
    .string()
    .optional()
    .describe("ID of the workspace that owns the deployment; absent with `deploymentUrl`.")
    .register(fieldMetadata, { stable: {} }),
  status: knownValue("ThreadStatus").describe("Status when last read: `idle`, `busy`, `interrupted` or `error`."),
  createdAt: z
    .string()
    .optional()
    .describe("Time of creation; absent if the server does not return it.")
    .register(fieldMetadata, { stable: {} }),
  updatedAt: z.string().optional().describe("Time of the last change; absent if the server does not return it."),
});
export type State = z.infer<typeof outputs>;
