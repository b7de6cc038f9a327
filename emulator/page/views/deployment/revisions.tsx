import { emulatedNow, type Live } from "../../data/live";
import type { Deployment, LogLine, RequestEntry } from "../../data/types";
import { formatCount } from "../../ui/format";
import { RevisionItem } from "./revision";
import { numberOf } from "./revision-number";
import { causeOf } from "./summary";

/** How many revisions are shown at first. */
const SHOWN = 20;

interface RevisionsProps {
  live: Live;
  deployment: Deployment;
  lines: readonly LogLine[];
  /** Those that changed the deployment, newest first. */
  requests: readonly RequestEntry[];
}

/** The revisions of a deployment on their time lines. */
export function Revisions({ live, deployment, lines, requests }: RevisionsProps) {
  const { revisions, active_revision_id } = deployment;
  return (
    <>
      <p class="hint">
        {formatCount(revisions.length, "revision")}, newest first. A revision is one version of the deployment: its code
        and configuration. It passes through the statuses below until it is DEPLOYED, or ends with the reason in its
        log.
      </p>
      <ol class="revisions" reversed>
        {revisions.slice(0, SHOWN).map((revision, index) => (
          <RevisionItem
            key={revision.id}
            revision={revision}
            previous={revisions[index + 1]}
            number={numberOf(revision, revisions)}
            isLive={revision.id === active_revision_id}
            cause={causeOf(revision, lines)}
            request={requests.findLast(({ resources, method }) => method !== "GET" && resources.includes(revision.id))}
            deploymentId={deployment.id}
            now={emulatedNow(live)}
          />
        ))}
      </ol>
      {revisions.length > SHOWN && (
        <details>
          <summary>{formatCount(revisions.length - SHOWN, "older revision")}</summary>
          <ul class="plain">
            {revisions.slice(SHOWN).map((revision) => (
              <li key={revision.id}>
                Revision {numberOf(revision, revisions)}: {revision.status}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
