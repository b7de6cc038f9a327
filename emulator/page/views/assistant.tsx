import { structuredPatch } from "diff";
import { useObject } from "../data/api";
import { useLive, useNow } from "../data/live";
import type { Assistant, AssistantVersion, CronRow } from "../data/types";
import { formatTime, visible } from "../ui/format";
import type { Tone } from "../ui/status";
import {
  Breadcrumb,
  Code,
  Heading,
  Json,
  JsonSection,
  Link,
  Pending,
  Properties,
  Section,
  Text,
  Time,
} from "../ui/text";
import { crons } from "./lists/crons";
import { KindList } from "./lists/list-view";
import { ResourceRequests } from "./requests/of-resource";

/** One assistant: its current content, its versions and its crons. */
export function AssistantView({ deploymentId, id }: { deploymentId: string; id: string }) {
  const live = useLive();
  const row = live.assistants.find((assistant) => assistant.id === id && assistant.deployment_id === deploymentId);
  const { data: assistant, error, wasDeleted } = useObject<Assistant>("assistants", row, deploymentId, id);
  const now = useNow();
  if (!assistant) {
    const reason = wasDeleted && "This assistant was deleted, or is a default one that was restored.";
    return <Pending error={error} reason={reason} />;
  }
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
          Created: <Time at={assistant.created_at} />,
          "Last change": <Time at={assistant.updated_at} />,
          Description: assistant.description && <Text>{assistant.description}</Text>,
        }}
      />
      <JsonSection title="Context" value={assistant.context} />
      <JsonSection title="Config" value={assistant.config} />
      <JsonSection title="Metadata" value={assistant.metadata} />
      <Section title="Versions">
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
      </Section>
      {live.crons.some(isOwn) && (
        <Section title="Crons">
          <KindList kind={crons} only={isOwn} />
        </Section>
      )}
      <ResourceRequests id={id} />
    </>
  );
}

/** How the lines of a difference look, by their sign. */
const LINES: Record<string, ["ins" | "del" | "span", Tone?]> = { "+": ["ins", "done"], "-": ["del", "failed"] };

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
            const [Line, tone] = LINES[line.charAt(0)] ?? ["span"];
            return (
              <Line key={index} class={tone}>
                {visible(`${line}\n`)}
              </Line>
            );
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
