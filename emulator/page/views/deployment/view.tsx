import { useMemo, useState } from "preact/hooks";
import { useAdmin } from "../../data/api";
import { emulatedNow, type Live } from "../../data/live";
import { useRequests } from "../../data/requests";
import { linkTo } from "../../data/route";
import type { Deployment, ExportRow, LogLine } from "../../data/types";
import { Copyable } from "../../ui/copy";
import { Heading } from "../../ui/heading";
import { Status } from "../../ui/status";
import { Breadcrumb, Empty, Problem, Properties, Text } from "../../ui/text";
import { assistants } from "../lists/assistants";
import { crons } from "../lists/crons";
import { exports } from "../lists/exports";
import { KindList } from "../lists/list-view";
import { threads } from "../lists/threads";
import { RequestsOfResource } from "../requests/of-resource";
import { Logs } from "./logs";
import { MessageBox } from "./message-box";
import { Revisions } from "./revisions";
import { Summary } from "./summary";
import { type Tab, Tabs, titleOf } from "./tabs";

/** How many of the newest log lines are shown. */
const LOG_LINES = 500;

interface DeploymentViewProps {
  live: Live;
  id: string;
  /** The part that is shown. Default: the revisions. */
  tab?: string;
  /** The log line to show. */
  line?: string;
}

/** One deployment: what is live and why, a message box, and a tab for each kind of what belongs to it. */
export function DeploymentView({ live, id, tab = "revisions", line }: DeploymentViewProps) {
  const row = live.deployments.find((candidate) => candidate.id === id);
  const version = row && JSON.stringify(row);
  const { data: deployment, error } = useAdmin<Deployment>(row && `/deployments/${encodeURIComponent(id)}`, version);
  const logs = useAdmin<{ lines: LogLine[] }>(
    row && `/logs?deployment=${encodeURIComponent(id)}&limit=${LOG_LINES}`,
    version,
  );
  const [showsReads, setShowsReads] = useState(false);
  const filter = useMemo(() => ({ resource: id, reads: showsReads }), [id, showsReads]);
  const requests = useRequests(filter, live.lastRequest, live.connected);
  if (!row)
    return (
      <Empty>
        This deployment does not exist, or was deleted. <a href={linkTo("deployments")}>All deployments</a>
      </Empty>
    );
  if (error) return <Problem>{error}</Problem>;
  const url = String(deployment?.source_config.custom_url ?? "");
  const lines = logs.data?.lines ?? [];
  const isServing = deployment?.active_revision_id != null && !/DELETE/.test(row.status);
  const countOf = (count: number, isAll: boolean) => (isAll ? count : `${count}+`);
  const isOwn = ({ deployment_id }: { deployment_id: string }) => deployment_id === id;
  const isOfProject = ({ owner_id }: ExportRow) => owner_id === id;
  const { revisions = [] } = deployment ?? {};
  const now = emulatedNow(live);
  const tabs: Record<string, Tab> = {
    revisions: {
      count: row.revisions,
      content: deployment && (
        <Revisions live={live} deployment={deployment} lines={lines} requests={requests.entries} />
      ),
    },
    log: {
      count: countOf(lines.length, lines.length < LOG_LINES),
      content: <Logs lines={lines} revisions={revisions} now={now} line={line} />,
    },
    assistants: { count: row.assistants, content: <KindList kind={assistants} live={live} only={isOwn} /> },
    crons: { count: row.crons, content: <KindList kind={crons} live={live} only={isOwn} /> },
    threads: { count: row.threads, content: <KindList kind={threads} live={live} only={isOwn} /> },
    exports: {
      count: live.exports.filter(isOfProject).length,
      content: <KindList kind={exports} live={live} only={isOfProject} />,
    },
    requests: {
      count: countOf(requests.entries.length, !requests.hasOlder),
      content: <RequestsOfResource live={live} requests={requests} showsReads={showsReads} onChange={setShowsReads} />,
    },
  };
  const selected = Object.hasOwn(tabs, tab) ? tab : "revisions";
  return (
    <>
      <Breadcrumb kind="deployments" />
      <Heading title={`${row.name}: ${row.latest_status ?? row.status}`}>
        <Text>{row.name}</Text>
      </Heading>
      {deployment && <Summary deployment={deployment} lines={lines} now={now} />}
      <Properties
        of={{
          "Latest rollout": <Status status={row.latest_status ?? row.status} />,
          "Pulumi resource": row.stack !== null && (
            <Text>{`${row.resource}, in stack ${row.stack} of project ${row.project}`}</Text>
          ),
          ID: <Copyable value={id} name="ID" />,
          "Agent server": url !== "" && <Copyable value={url} name="URL of the agent server" />,
          Source: row.source,
          Status: row.status !== "READY" && row.status,
        }}
      />
      {deployment && isServing && <MessageBox live={live} deployment={deployment} />}
      <Tabs deploymentId={id} selected={selected} tabs={tabs} />
      <section aria-label={titleOf(selected)} key={selected}>
        {tabs[selected]?.content}
      </section>
    </>
  );
}
