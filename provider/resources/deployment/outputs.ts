/** What the service adds to a Deployment (interface section 2, Deployment). */
import { z } from "zod";
import { knownValue } from "../../api/known-values";
import { fieldMetadata } from "../../schema/schema";

/** Sources whose deployments are created with a first revision: content for the others may come later. */
const SOURCES_WITH_REVISION = ["githost", "external_docker", "internal_template"] as const;
const presentWhenLive = { presentWith: { source: SOURCES_WITH_REVISION, waitFor: ["deployed", "healthy"] } };

export const outputs = z.object({
  tenantId: z.string().describe("Workspace that owns the deployment."),
  url: z
    .string()
    .register(fieldMetadata, presentWhenLive)
    .optional()
    .describe("URL of the agent server; absent until the first revision serves."),
  latestRevisionId: z
    .string()
    .register(fieldMetadata, { presentWith: { source: SOURCES_WITH_REVISION } })
    .optional()
    .describe("The newest revision, whatever became of it; absent where there is none yet."),
  activeRevisionId: z
    .string()
    .register(fieldMetadata, presentWhenLive)
    .optional()
    .describe("The revision that serves now; absent until the first does."),
  latestRepoCommitSha: z
    .string()
    .optional()
    .describe("Commit that the newest revision is built from, for `githost`; absent where the server reports none."),
  activeRepoCommitSha: z
    .string()
    .optional()
    .describe("Commit that the live revision was built from, for `githost`; absent until there is one."),
  status: knownValue("DeploymentStatus").describe(
    "What the service says of the deployment as a whole: AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN. Whether a revision serves is told by `activeRevisionId`.",
  ),
  createdAt: z.string().describe("When it was created, as the service says it."),
  updatedAt: z.string().describe("When it was last changed, as the service says it."),
  currentImageVersion: z
    .string()
    .optional()
    .describe("Version of the platform's base image that the server reports; absent where it reports none."),
  isManagedDeepAgent: z
    .boolean()
    .describe("Whether the platform manages the agent itself; false where the service does not tell."),
  tracingProjectId: z
    .string()
    .optional()
    .describe(
      "Id of the tracing project of this name, for exports; absent without the settings `tracingApiUrl` and `tenantId`, and after they were added until `pulumi refresh`.",
    ),
});
export type State = z.infer<typeof outputs>;
