import type { Live } from "../data/live";
import { linkTo } from "../data/route";
import { stackUpdates } from "../data/stacks";
import { formatCount } from "../ui/format";
import { Text } from "../ui/text";

/** How many deployments of an update are named. */
const NAMED = 3;

/** What `pulumi up` is changing now, above every view. */
export function StackUpdates({ live }: { live: Live }) {
  const updates = stackUpdates(live);
  if (updates.length === 0) return null;
  return (
    <section class="updates" aria-label="Updates in progress">
      {updates.map(({ project, stack, running, changed }) => (
        <p class="callout active" key={`${project}/${stack}`}>
          <strong>
            <Text>{`${project}/${stack}`}</Text> is being updated:
          </strong>{" "}
          {changed - running.length} of {formatCount(changed, "resource")} done.{" "}
          {running.slice(0, NAMED).map(({ id, name, status, latest_status }) => (
            <span key={id}>
              <a href={linkTo("deployments", id)}>
                <Text>{name}</Text>
              </a>{" "}
              {/DELETE/.test(status) ? status : (latest_status ?? status)}{" "}
            </span>
          ))}
          {running.length > NAMED && `and ${running.length - NAMED} more`}
        </p>
      ))}
    </section>
  );
}
