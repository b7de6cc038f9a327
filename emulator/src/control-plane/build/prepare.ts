import type { Context } from "../../runtime/context";
import type { DeploymentRecord } from "../model/records";
import type { SourceRevisionConfig } from "../model/schemas";
import { uploadedTarball } from "../sources/uploads";
import { readSource, SourceError, type SourceFacts } from "./read-source";

/** Why a revision will fail, and the log step at which it fails. */
export interface ExpectedFailure {
  stopsAt: string;
  message: string;
}

const fetchStep = "Step 2/6";
const configurationStep = "Step 3/6";

/** Inspects the source of a build. Returns its facts, where it can be read, or the reason why the build will fail. */
export function prepareBuild(
  context: Context,
  { source, source_config }: DeploymentRecord,
  config: SourceRevisionConfig,
): { facts?: SourceFacts; failure?: ExpectedFailure } {
  const path = config.agentgraph_config_path;
  const notSet = (field: string) => `Nothing to build: ${field} is not set`;
  if (source === "githost") {
    // Repositories are not cloned, so their content is unknown.
    return source_config.repo_url ? {} : { failure: { stopsAt: fetchStep, message: notSet("source_config.repo_url") } };
  }
  const tarball = config.source_tarball_path;
  if (!tarball)
    return { failure: { stopsAt: fetchStep, message: notSet("source_revision_config.source_tarball_path") } };
  const content = uploadedTarball(context, tarball);
  if (!content) return { failure: { stopsAt: fetchStep, message: `No tarball was uploaded to ${tarball}` } };
  if (!path) {
    const field = `source_revision_config.${context.vocabulary.fieldName("agentgraph_config_path")}`;
    return { failure: { stopsAt: configurationStep, message: notSet(field) } };
  }
  try {
    return { facts: readSource(content, path) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { failure: { stopsAt: error.step === "fetching" ? fetchStep : configurationStep, message: error.message } };
  }
}
