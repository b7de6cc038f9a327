import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { useAdmin } from "../data/api";
import type { Cron } from "../data/assistant-types";
import { emulatedNow, type Live } from "../data/live";
import { linkTo } from "../data/route";
import { formatTime } from "../ui/format";
import { Code, Empty, Json, Problem, Property, Text } from "../ui/text";
import { CronStatus } from "./crons";
import { ResourceRequests } from "./requests/of-resource";

/** One cron: when it runs, and what. */
export function CronView({ live, deploymentId, id }: { live: Live; deploymentId: string; id: string }): JSX.Element {
  const row = live.crons.find((cron) => cron.id === id && cron.deployment_id === deploymentId);
  const wasListed = useRef(false);
  wasListed.current ||= row !== undefined;
  const wasDeleted = wasListed.current && row === undefined;
  const path = `/agents/${encodeURIComponent(deploymentId)}/crons/${encodeURIComponent(id)}`;
  const { data: cron, error } = useAdmin<Cron>(wasDeleted ? undefined : path, row && JSON.stringify(row));
  const now = emulatedNow(live);
  if (wasDeleted) return <Empty>This cron was deleted.</Empty>;
  if (error) return <Problem>{error}</Problem>;
  if (!cron) return <Empty>Loading …</Empty>;
  return (
    <>
      <nav aria-label="Breadcrumb" class="breadcrumb">
        <a href={linkTo("crons")}>All crons</a>
      </nav>
      <h2>
        Cron <Text>{cron.schedule}</Text>
      </h2>
      <dl class="properties">
        <Property name="Status">
          <CronStatus enabled={cron.enabled} />
        </Property>
        <Property name="Next run">{formatTime(cron.next_run_date, now)}</Property>
        <Property name="Time zone">
          <Text>{cron.timezone ?? "UTC"}</Text>
        </Property>
        <Property name="Assistant">
          <a href={linkTo("assistants", deploymentId, cron.assistant_id)}>
            <Text>{row?.assistant || cron.assistant_id}</Text>
          </a>
        </Property>
        <Property name="Deployment">
          <a href={linkTo("deployments", deploymentId)}>
            <Text>{cron.deployment.name}</Text>
          </a>
        </Property>
        <Property name="Thread">
          {cron.thread_id === null ? (
            `New for each run${cron.on_run_completed === "delete" ? ", deleted after it" : ""}`
          ) : (
            <a href={linkTo("threads", deploymentId, cron.thread_id)}>
              <Code>{cron.thread_id}</Code>
            </a>
          )}
        </Property>
        <Property name="Created">{formatTime(cron.created_at, now)}</Property>
        <Property name="Last change">{formatTime(cron.updated_at, now)}</Property>
      </dl>
      {cron.end_time !== null && (
        <Problem>A cron with an end time never fires, and stops those created after it.</Problem>
      )}
      <section aria-labelledby="metadata">
        <h3 id="metadata">Metadata</h3>
        <Json value={cron.metadata} label="Metadata" />
      </section>
      <section aria-labelledby="payload">
        <h3 id="payload">Payload</h3>
        <Json value={cron.payload} label="Payload" />
      </section>
      <ResourceRequests live={live} id={id} />
    </>
  );
}
