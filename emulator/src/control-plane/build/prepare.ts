import type { Context } from "../../runtime/context";
import type { DeploymentRecord } from "../model/records";
import type { SourceRevisionConfig } from "../model/schemas";
import { uploadedTarball } from "../sources/uploads";
import { readSource, SourceError, type SourceFacts } from "./read-source";

/** Why a revision will fail, and the log step at which it fails. */
export interface Flaw {
  stopsAt: string;
  message: string;
}

const fetching = "Step 2/6";
const configuration = "Step 3/6";

/** Inspects the source of a build. Returns its facts, where it can be read, or the reason why the build will fail. */
export function prepareBuild(
  context: Context,
  { source, source_config }: DeploymentRecord,
  config: SourceRevisionConfig,
): { facts?: SourceFacts; flaw?: Flaw } {
  const path = config.agentgraph_config_path;
  const nothing = (field: string) => `Nothing to build: ${field} is not set`;
  if (source === "githost") {
    // Repositories are not cloned, so their content is unknown.
    return source_config.repo_url ? {} : { flaw: { stopsAt: fetching, message: nothing("source_config.repo_url") } };
  }
  const tarball = config.source_tarball_path;
  if (!tarball) return { flaw: { stopsAt: fetching, message: nothing("source_revision_config.source_tarball_path") } };
  const content = uploadedTarball(context, tarball);
  if (!content) return { flaw: { stopsAt: fetching, message: `No tarball was uploaded to ${tarball}` } };
  if (!path) {
    const field = `source_revision_config.${context.vocabulary.fieldName("agentgraph_config_path")}`;
    return { flaw: { stopsAt: configuration, message: nothing(field) } };
  }
  try {
    return { facts: readSource(content, path) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { flaw: { stopsAt: error.step === "fetching" ? fetching : configuration, message: error.message } };
  }
}
