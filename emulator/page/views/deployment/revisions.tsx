import { formatCount } from "../../ui/format";
import { type History, RevisionItem } from "./revision";
import { numberOf } from "./summary";

const SHOWN = 20;

export function Revisions(history: History) {
  const { revisions } = history.deployment;
  const older = revisions.slice(SHOWN);
  return (
    <>
      <p class="hint">
        {formatCount(revisions.length, "revision")}, newest first. A revision is one version of the deployment: its code
        and configuration. It passes through the statuses below until it is DEPLOYED, or ends with the reason in its
        log.
      </p>
      <ol reversed>
        {revisions.slice(0, SHOWN).map((revision) => (
          <RevisionItem key={revision.id} revision={revision} {...history} />
        ))}
      </ol>
      {older.length > 0 && (
        <details>
          <summary>{formatCount(older.length, "older revision")}</summary>
          <ul class="plain">
            {older.map((revision) => (
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
