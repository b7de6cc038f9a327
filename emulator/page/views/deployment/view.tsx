import type { ComponentChildren } from "preact";
import type { DeploymentLogLine } from "../../../src/runtime/descriptions";
import { useAdmin } from "../../data/api";
import { useLive } from "../../data/live";
import { linkTo } from "../../data/route";
import type { Deployment, ExportRow } from "../../data/types";
import { Copyable } from "../../ui/copy";
import { capitalize } from "../../ui/format";
import { Status } from "../../ui/status";
import { Breadcrumb, Empty, Heading, Problem, Properties, Text } from "../../ui/text";
import { assistants } from "../lists/assistants";
import { crons } from "../lists/crons";
import { exports } from "../lists/exports";
import { KindList } from "../lists/list-view";
import { threads } from "../lists/threads";
import { useResourceRequests } from "../requests/of-resource";
import { Logs } from "./logs";
import { MessageBox } from "./message-box";
import { Revisions } from "./revisions";
import { Summary } from "./summary";

const LOG_LINES = 500;

interface DeploymentViewProps {
  id: string;
  /** The part that is shown. Default: the revisions. */
  tab?: string | undefined;
  line?: string | undefined;
}

/** One deployment: what is live and why, a message box, and a tab for each kind of what belongs to it. */
export function DeploymentView({ id, tab = "revisions", line }: DeploymentViewProps) {
  const live = useLive();
  const row = live.deployments.find((candidate) => candidate.id === id);
  const version = row && JSON.stringify(row);
  const { data: deployment, error } = useAdmin<Deployment>(row && `/deployments/${encodeURIComponent(id)}`, version);
  const logPath = `/logs?deployment=${encodeURIComponent(id)}&limit=${LOG_LINES}`;
  const { lines = [] } = useAdmin<{ lines: DeploymentLogLine[] }>(row && logPath, version).data ?? {};
  const requests = useResourceRequests(id);
  if (!row)
    return (
      <Empty>
        This deployment does not exist, or was deleted. <a href={linkTo("deployments")}>All deployments</a>
      </Empty>
    );
  if (error) return <Problem>{error}</Problem>;
  const url = String(deployment?.source_config.custom_url ?? "");
  const isServing = deployment?.active_revision_id != null && !/DELETE/.test(row.status);
  const status = row.latest_status ?? row.status;
  // There may be more than what was loaded.
  const countOf = (count: number, isAll: boolean) => (isAll ? count : `${count}+`);
  const isOwn = ({ deployment_id }: { deployment_id: string }) => deployment_id === id;
  const isOfProject = ({ owner_id }: ExportRow) => owner_id === id;
  const { revisions = [] } = deployment ?? {};
  const tabs: Record<string, { count: number | string; content: ComponentChildren }> = {
    revisions: {
      count: row.revisions,
      content: deployment && <Revisions deployment={deployment} lines={lines} requests={requests.entries} />,
    },
    log: {
      count: countOf(lines.length, lines.length < LOG_LINES),
      content: <Logs lines={lines} revisions={revisions} line={line} />,
    },
    assistants: { count: row.assistants, content: <KindList kind={assistants} only={isOwn} /> },
    crons: { count: row.crons, content: <KindList kind={crons} only={isOwn} /> },
    threads: { count: row.threads, content: <KindList kind={threads} only={isOwn} /> },
    exports: {
      count: live.exports.filter(isOfProject).length,
      content: <KindList kind={exports} only={isOfProject} />,
    },
    requests: { count: countOf(requests.entries.length, !requests.hasOlder), content: requests.list },
  };
  const selected = Object.hasOwn(tabs, tab) ? tab : "revisions";
  return (
    <>
      <Breadcrumb kind="deployments" />
      <Heading title={`${row.name}: ${status}`}>
        <Text>{row.name}</Text>
      </Heading>
      {deployment && <Summary deployment={deployment} lines={lines} />}
      <Properties
        of={{
          "Latest rollout": <Status status={status} />,
          "Pulumi resource": row.stack !== null && (
            <Text>{`${row.resource}, in stack ${row.stack} of project ${row.project}`}</Text>
          ),
          ID: <Copyable value={id} name="ID" />,
          "Agent server": url !== "" && <Copyable value={url} name="URL of the agent server" />,
          Source: row.source,
          Status: row.status !== "READY" && row.status,
        }}
      />
      {isServing && <MessageBox id={id} />}
      <nav class="tabs" aria-label="Parts of the deployment">
        {Object.entries(tabs).map(([name, { count }]) => (
          <a
            key={name}
            class="row cell"
            href={linkTo("deployments", id, ...(name === "revisions" ? [] : [name]))}
            aria-current={name === selected ? "page" : undefined}
          >
            {capitalize(name)} <span class="badge">{count.toLocaleString()}</span>
          </a>
        ))}
      </nav>
      <section aria-label={capitalize(selected)} key={selected}>
        {tabs[selected]?.content}
      </section>
    </>
  );
}
