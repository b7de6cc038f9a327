import { useObject } from "../data/api";
import { useLive } from "../data/live";
import type { Cron } from "../data/types";
import { formatDateTime } from "../ui/format";
import { Status } from "../ui/status";
import { Breadcrumb, Code, Heading, JsonSection, Link, Pending, Problem, Properties, Text, Time } from "../ui/text";
import { ResourceRequests } from "./requests/of-resource";

export function CronView({ deploymentId, id }: { deploymentId: string; id: string }) {
  const row = useLive().crons.find((cron) => cron.id === id && cron.deployment_id === deploymentId);
  const { data: cron, error, wasDeleted } = useObject<Cron>("crons", row, deploymentId, id);
  if (!cron) return <Pending error={error} reason={wasDeleted && "This cron was deleted."} />;
  const { thread_id: thread, timezone } = cron;
  const status = cron.enabled ? "enabled" : "disabled";
  const zone = timezone ?? "UTC";
  const newThread = `New for each run${cron.on_run_completed === "delete" ? ", deleted after it" : ""}`;
  return (
    <>
      <Breadcrumb kind="crons" />
      <Heading title={`Cron ${cron.schedule}: ${status}`}>
        Cron <Text>{cron.schedule}</Text>
      </Heading>
      <Properties
        of={{
          Status: <Status status={status} />,
          [`Next run in ${zone}`]: <Time at={cron.next_run_date} timeZone={zone} />,
          "Next run in your time zone": formatDateTime(cron.next_run_date),
          Assistant: (
            <Link to={["assistants", deploymentId, cron.assistant_id]}>{row?.assistant || cron.assistant_id}</Link>
          ),
          Deployment: <Link to={["deployments", deploymentId]}>{cron.deployment.name}</Link>,
          Thread: thread === null ? newThread : <Link to={["threads", deploymentId, thread]}>{thread}</Link>,
          ID: <Code>{id}</Code>,
          Created: <Time at={cron.created_at} />,
          "Last change": <Time at={cron.updated_at} />,
        }}
      />
      {cron.end_time !== null && (
        <Problem>A cron with an end time never fires, and stops those created after it.</Problem>
      )}
      <JsonSection title="Metadata" value={cron.metadata} />
      <JsonSection title="Payload" value={cron.payload} />
      <ResourceRequests id={id} />
    </>
  );
}
