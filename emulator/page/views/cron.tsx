import { useObject } from "../data/api";
import type { Cron } from "../data/assistant-types";
import { emulatedNow, type Live } from "../data/live";
import { formatDateTime } from "../ui/format";
import { Heading } from "../ui/heading";
import { Breadcrumb, Code, Empty, JsonSection, Link, Problem, Properties, Text, Time } from "../ui/text";
import { CronStatus } from "./lists/crons";
import { ResourceRequests } from "./requests/of-resource";

/** One cron: when it runs, and what. */
export function CronView({ live, deploymentId, id }: { live: Live; deploymentId: string; id: string }) {
  const row = live.crons.find((cron) => cron.id === id && cron.deployment_id === deploymentId);
  const { data: cron, error, wasDeleted } = useObject<Cron>("crons", row, deploymentId, id);
  const now = emulatedNow(live);
  if (wasDeleted) return <Empty>This cron was deleted.</Empty>;
  if (error) return <Problem>{error}</Problem>;
  if (!cron) return <Empty>Loading …</Empty>;
  const zone = cron.timezone ?? "UTC";
  return (
    <>
      <Breadcrumb kind="crons" />
      <Heading title={`Cron ${cron.schedule}: ${cron.enabled ? "enabled" : "disabled"}`}>
        Cron <Text>{cron.schedule}</Text>
      </Heading>
      <Properties
        of={{
          Status: <CronStatus enabled={cron.enabled} />,
          [`Next run in ${zone}`]: <Time at={cron.next_run_date} now={now} timeZone={zone} />,
          "Next run in your time zone": formatDateTime(cron.next_run_date),
          Assistant: (
            <Link to={["assistants", deploymentId, cron.assistant_id]}>{row?.assistant || cron.assistant_id}</Link>
          ),
          Deployment: <Link to={["deployments", deploymentId]}>{cron.deployment.name}</Link>,
          Thread:
            cron.thread_id === null ? (
              `New for each run${cron.on_run_completed === "delete" ? ", deleted after it" : ""}`
            ) : (
              <Link to={["threads", deploymentId, cron.thread_id]}>{cron.thread_id}</Link>
            ),
          ID: <Code>{id}</Code>,
          Created: <Time at={cron.created_at} now={now} />,
          "Last change": <Time at={cron.updated_at} now={now} />,
        }}
      />
      {cron.end_time !== null && (
        <Problem>A cron with an end time never fires, and stops those created after it.</Problem>
      )}
      <JsonSection title="Metadata" value={cron.metadata} />
      <JsonSection title="Payload" value={cron.payload} />
      <ResourceRequests live={live} id={id} />
    </>
  );
}
