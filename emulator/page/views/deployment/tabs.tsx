import type { ComponentChildren } from "preact";
import { linkTo } from "../../data/route";

/** A part of a deployment's page, and how many entries it has; "500+" if there may be more. */
export interface Tab {
  count: number | string;
  content: ComponentChildren;
}

interface TabsProps {
  deploymentId: string;
  selected: string;
  tabs: Readonly<Record<string, Tab>>;
}

export const titleOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Links to the parts of a deployment's page. The first one has the address of the page. */
export function Tabs({ deploymentId, selected, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label="Parts of the deployment">
      {Object.entries(tabs).map(([name, { count }], index) => (
        <a
          key={name}
          href={linkTo("deployments", deploymentId, ...(index === 0 ? [] : [name]))}
          aria-current={name === selected ? "page" : undefined}
        >
          {titleOf(name)} <span class="badge">{count.toLocaleString()}</span>
        </a>
      ))}
    </nav>
  );
}
