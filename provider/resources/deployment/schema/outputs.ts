/** The outputs of a Deployment (API `2A`). */
import { z } from "zod";
import { knownValue } from "../../../api/known-values";
import { fieldMetadata, optionalText } from "../../../schema/schema";
import { conversationOutputs } from "./keep";

/** What is remembered of a revision that failed its checks, so that its content is not rolled out over and over. */
const failedVerification = z
  .object({
    revisionId: z.string().describe("ID of the revision."),
    contentDigest: z
      .string()
      .describe("Digest of the declared content and checks, with the values of secrets.")
      .register(fieldMetadata, { secret: true }),
    count: z.number().describe("Number of revisions of this content that have failed."),
    failedAt: z.string().describe("Time of the failure, in UTC."),
    reason: z.string().describe("What failed, in one line."),
  })
  .register(fieldMetadata, {
    interface: "FailedVerification",
    description: "The last revision that failed its checks.",
  });

/** Sources whose deployments are created with a first revision; others may get their content later. */
const SOURCES_WITH_REVISION = ["githost", "external_docker", "internal_template"] as const;
const presentWhenLive = { presentWith: { source: SOURCES_WITH_REVISION, waitFor: ["deployed", "healthy"] } };

export const outputs = z.object({
  tenantId: z
    .string()
    .describe("ID of the workspace that owns the deployment.")
    .register(fieldMetadata, { stable: {}, absentMeans: "" }),
  url: optionalText("URL of the agent server; absent until the first revision is live.").register(fieldMetadata, {
    ...{ ...presentWhenLive, stable: { except: ["sourceConfig.customUrl"] } },
    // A server may also choose one with the name in it.
    contains: ["sourceConfig.customUrl", "name", "agent"],
  }),
  latestRevisionId: optionalText(
    "ID of the latest revision, whether it is live or not; absent until there is one.",
  ).register(fieldMetadata, { presentWith: { source: SOURCES_WITH_REVISION } }),
  activeRevisionId: z
    .string()
    .register(fieldMetadata, presentWhenLive)
    .optional()
    .describe("ID of the live revision; absent until there is one."),
  verifiedRevisionId: optionalText(
    "ID of the last revision that passed the checks of `verify`, or that a rollback deployed with its " +
      "configuration; absent until there is one.",
  ),
  failedVerification: failedVerification
    .optional()
    .describe("The last revision that failed the checks of `verify`; absent if none has since the last that passed."),
  ...conversationOutputs,
  latestRepoCommitSha: optionalText(
    "Commit of the latest revision, for `githost`; absent if the server does not return it.",
  ).register(fieldMetadata, { wireName: "sourceRevisionConfig.repoCommitSha" }),
  activeRepoCommitSha: optionalText("Commit of the live revision, for `githost`; absent until there is one."),
  status: knownValue("DeploymentStatus").describe(
    "Status of the deployment as a whole: AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN. " +
      "`activeRevisionId` shows whether a revision is live.",
  ),
  createdAt: z
    .string()
    .describe("Time of creation, in the server's format.")
    .register(fieldMetadata, { stable: {}, absentMeans: "" }),
  updatedAt: z
    .string()
    .describe("Time of the last change, in the server's format.")
    .register(fieldMetadata, { absentMeans: "" }),
  currentImageVersion: optionalText(
    "Version of the platform's base image in use; absent if the server does not return it.",
  ).register(fieldMetadata, { wireName: "imageVersion", contains: ["imageVersion"] }),
  isManagedDeepAgent: z
    .boolean()
    .describe("Whether the platform manages the agent; false if the server does not return it.")
    .register(fieldMetadata, { absentMeans: false }),
  tracingProjectId: optionalText(
    "ID of the tracing project with this name, for exports. Absent without the setting `url`, or " +
      "`tracingApiUrl` and `tenantId`; after you add them, run `pulumi refresh`.",
  )
    // A project belongs to a name, so a new deployment of the same name may have the same project.
    .register(fieldMetadata, { stable: {}, outlives: { except: ["name"] } }),
});
export type State = z.infer<typeof outputs>;
