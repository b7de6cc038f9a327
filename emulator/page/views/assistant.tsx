import { structuredPatch } from "diff";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { useAdmin } from "../data/api";
import type { Assistant, AssistantVersion, CronRow } from "../data/assistant-types";
import { emulatedNow, type Live } from "../data/live";
import { linkTo } from "../data/route";
import { formatTime, visible } from "../ui/format";
import { Code, Empty, Json, Problem, Property, Text } from "../ui/text";
import { crons } from "./lists/crons";
import { KindList } from "./lists/list-view";
import { ResourceRequests } from "./requests/of-resource";

interface ObjectProps {
  live: Live;
  deploymentId: string;
  id: string;
}

/** One assistant: its current content, its versions and its crons. */
export function AssistantView({ live, deploymentId, id }: ObjectProps): JSX.Element {
  const row = live.assistants.find((assistant) => assistant.id === id && assistant.deployment_id === deploymentId);
  const wasListed = useRef(false);
  wasListed.current ||= row !== undefined;
  const wasDeleted = wasListed.current && row === undefined;
  const path = `/agents/${encodeURIComponent(deploymentId)}/assistants/${encodeURIComponent(id)}`;
  const { data: assistant, error } = useAdmin<Assistant>(wasDeleted ? undefined : path, row && JSON.stringify(row));
  const now = emulatedNow(live);
  if (wasDeleted) return <Empty>This assistant was deleted, or is a default one that was restored.</Empty>;
  if (error) return <Problem>{error}</Problem>;
  if (!assistant) return <Empty>Loading …</Empty>;
  const isOwn = (cron: CronRow) => cron.assistant_id === id && cron.deployment_id === deploymentId;
  return (
    <>
      <nav aria-label="Breadcrumb" class="breadcrumb">
        <a href={linkTo("assistants")}>All assistants</a>
      </nav>
      <h2>
        <Text>{assistant.name === "" ? "No name" : assistant.name}</Text>
      </h2>
      <dl class="properties">
        <Property name="Version">{String(assistant.version)}</Property>
        <Property name="Graph">
          <Text>{assistant.graph_id}</Text>
        </Property>
        <Property name="Deployment">
          <a href={linkTo("deployments", deploymentId)}>
            <Text>{assistant.deployment.name}</Text>
          </a>
        </Property>
        <Property name="ID">
          <Code>{id}</Code>
        </Property>
        <Property name="Created">{formatTime(assistant.created_at, now)}</Property>
        <Property name="Last change">{formatTime(assistant.updated_at, now)}</Property>
      </dl>
      {assistant.description && (
        <p>
          <Text>{assistant.description}</Text>
        </p>
      )}
      <Content content={assistant} />
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

function Content({ content: { context, config, metadata } }: { content: AssistantVersion }): JSX.Element {
  return (
    <>
      {Object.entries({ Context: context, Config: config, Metadata: metadata }).map(([name, value]) => (
        <section key={name} aria-labelledby={name}>
          <h3 id={name}>{name}</h3>
          <Json value={value} label={visible(name)} />
        </section>
      ))}
    </>
  );
}

/** The lines that a version added and removed, each with its sign, and some lines around them. */
function Diff({ before, after }: { before: AssistantVersion; after: AssistantVersion }): JSX.Element {
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
