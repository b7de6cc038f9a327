/** Outputs of a Deployment (API `2A.Deployment`). */
import { z } from "zod";
import { knownValue } from "../../../api/known-values";
import { optionalText } from "../../../schema/optional";
import { fieldMetadata } from "../../../schema/schema";

/** Sources whose deployments are created with a first revision; others may get their content later. */
const SOURCES_WITH_REVISION = ["githost", "external_docker", "internal_template"] as const;
const presentWhenLive = { presentWith: { source: SOURCES_WITH_REVISION, waitFor: ["deployed", "healthy"] } };

export const outputs = z.object({
  tenantId: z
    .string()
    .describe("ID of the workspace that owns the deployment.")
    .register(fieldMetadata, { stable: {} }),
  url: z
    .string()
    .register(fieldMetadata, presentWhenLive)
    .optional()
    .describe("URL of the agent server; absent until the first revision is live.")
    .register(fieldMetadata, { stable: { except: ["sourceConfig.customUrl"] } }),
  latestRevisionId: z
    .string()
    .register(fieldMetadata, { presentWith: { source: SOURCES_WITH_REVISION } })
    .optional()
    .describe("ID of the latest revision, whether it is live or not; absent until there is one."),
  activeRevisionId: z
    .string()
    .register(fieldMetadata, presentWhenLive)
    .optional()
    .describe("ID of the live revision; absent until there is one."),
  latestRepoCommitSha: optionalText(
    "Commit of the latest revision, for `githost`; absent if the server does not return it.",
  ),
  activeRepoCommitSha: optionalText("Commit of the live revision, for `githost`; absent until there is one."),
  status: knownValue("DeploymentStatus").describe(
    "Status of the deployment as a whole: AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN. `activeRevisionId` shows whether a revision is live.",
  ),
  createdAt: z.string().describe("Time of creation, in the server's format.").register(fieldMetadata, { stable: {} }),
  updatedAt: z.string().describe("Time of the last change, in the server's format."),
  currentImageVersion: optionalText(
    "Version of the platform's base image in use; absent if the server does not return it.",
  ),
  isManagedDeepAgent: z
    .boolean()
    .describe("Whether the platform manages the agent; false if the server does not return it."),
  tracingProjectId: optionalText(
    "ID of the tracing project with this name, for exports. Absent without the settings `tracingApiUrl` and `tenantId`; after you add them, run `pulumi refresh`.",
  )
    // A project belongs to a name, so a new deployment of the same name may have the same project.
    .register(fieldMetadata, { stable: {}, outlives: { except: ["name"] } }),
});
export type State = z.infer<typeof outputs>;
