import { structuredPatch } from "diff";
import { useObject } from "../data/api";
import type { Assistant, AssistantVersion, CronRow } from "../data/assistant-types";
import { emulatedNow, type Live } from "../data/live";
import { formatTime, visible } from "../ui/format";
import { Heading } from "../ui/heading";
import { Breadcrumb, Code, Empty, Json, JsonSection, Link, Problem, Properties, Text, Time } from "../ui/text";
import { crons } from "./lists/crons";
import { KindList } from "./lists/list-view";
import { ResourceRequests } from "./requests/of-resource";

interface ObjectProps {
  live: Live;
  deploymentId: string;
  id: string;
}

/** One assistant: its current content, its versions and its crons. */
export function AssistantView({ live, deploymentId, id }: ObjectProps) {
  const row = live.assistants.find((assistant) => assistant.id === id && assistant.deployment_id === deploymentId);
  const { data: assistant, error, wasDeleted } = useObject<Assistant>("assistants", row, deploymentId, id);
  const now = emulatedNow(live);
  if (wasDeleted) return <Empty>This assistant was deleted, or is a default one that was restored.</Empty>;
  if (error) return <Problem>{error}</Problem>;
  if (!assistant) return <Empty>Loading …</Empty>;
  const name = assistant.name || "No name";
  const isOwn = (cron: CronRow) => cron.assistant_id === id && cron.deployment_id === deploymentId;
  return (
    <>
      <Breadcrumb kind="assistants" />
      <Heading title={`${name}: version ${assistant.version}`}>
        <Text>{name}</Text>
      </Heading>
      <Properties
        of={{
          Version: String(assistant.version),
          Graph: <Text>{assistant.graph_id}</Text>,
          Deployment: <Link to={["deployments", deploymentId]}>{assistant.deployment.name}</Link>,
          ID: <Code>{id}</Code>,
          Created: <Time at={assistant.created_at} now={now} />,
          "Last change": <Time at={assistant.updated_at} now={now} />,
          Description: assistant.description && <Text>{assistant.description}</Text>,
        }}
      />
      <JsonSection title="Context" value={assistant.context} />
      <JsonSection title="Config" value={assistant.config} />
      <JsonSection title="Metadata" value={assistant.metadata} />
      <section aria-labelledby="versions">
        <h3 id="versions">Versions</h3>
        {assistant.versions.map((version, index) => {
          const isCurrent = version.version === assistant.version;
          const previous = assistant.versions[index + 1];
          return (
            <details key={version.version} open={isCurrent && previous !== undefined}>
              <summary>
                Version {version.version}, {formatTime(version.created_at, now)}
                {isCurrent && " (current)"}
              </summary>
              {previous && <Diff before={previous} after={version} />}
              {/* The current content is shown above. */}
              {!isCurrent && <Json value={contentOf(version)} label={`Version ${version.version}`} />}
            </details>
          );
        })}
      </section>
      {live.crons.some(isOwn) && (
        <section aria-labelledby="crons">
          <h3 id="crons">Crons</h3>
          <KindList kind={crons} live={live} only={isOwn} />
        </section>
      )}
      <ResourceRequests live={live} id={id} />
    </>
  );
}

/** The lines that a version added and removed, each with its sign, and some lines around them. */
function Diff({ before, after }: { before: AssistantVersion; after: AssistantVersion }) {
  const { hunks } = structuredPatch("", "", textOf(before), textOf(after), "", "", { context: 3 });
  if (hunks.length === 0) return <p class="hint">It changed nothing.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="json diff" aria-label={`Changes of version ${after.version}`} tabIndex={0}>
      <pre>
        {hunks
          .flatMap(({ lines }) => lines)
          .map((line, index) => {
            const Line = line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : "span";
            return <Line key={index}>{visible(`${line}\n`)}</Line>;
          })}
      </pre>
    </section>
  );
}

/** A version as JSON, in which a text of several lines, such as a prompt, keeps them. */
function textOf(version: AssistantVersion): string {
  return `${JSON.stringify(contentOf(version), undefined, 2).replaceAll("\\n", "\n      ")}\n`;
}

function contentOf({ graph_id, name, description, config, context, metadata }: AssistantVersion) {
  return { graph_id, name, description, config, context, metadata };
}
