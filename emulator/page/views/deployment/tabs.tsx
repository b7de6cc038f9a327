import { linkTo } from "../../data/route";

/** The parts of a deployment's page, in order. */
export const TABS = {
  revisions: "Revisions",
  log: "Log",
  assistants: "Assistants",
  crons: "Crons",
  threads: "Threads",
  exports: "Exports",
  requests: "Requests",
} as const;

export type Tab = keyof typeof TABS;

interface TabsProps {
  deploymentId: string;
  selected: Tab;
  /** How many entries each has; "500+" if there may be more. */
  counts: Record<Tab, number | string>;
}

/** Links to the parts of a deployment's page. */
export function Tabs({ deploymentId, selected, counts }: TabsProps) {
  return (
    <nav class="tabs" aria-label="Parts of the deployment">
      {(Object.keys(TABS) as Tab[]).map((tab) => (
        <a
          key={tab}
          href={linkTo("deployments", deploymentId, ...(tab === "revisions" ? [] : [tab]))}
          aria-current={tab === selected ? "page" : undefined}
        >
          {TABS[tab]} <span class="badge">{counts[tab].toLocaleString()}</span>
        </a>
      ))}
    </nav>
  );
}
