import { useLive } from "../data/live";
import { stackUpdates } from "../data/stacks";
import { formatCount } from "../ui/format";
import { Link, Text } from "../ui/text";

const NAMED = 3;

/** What `pulumi up` is changing now, above every view. */
export function StackUpdates() {
  const updates = stackUpdates(useLive());
  if (updates.length === 0) return null;
  return (
    <section class="updates" aria-label="Updates in progress">
      {updates.map(({ name, running, changed }) => (
        <p class="callout active" key={name}>
          <strong>
            <Text>{name}</Text> is being updated:
          </strong>{" "}
          {changed - running.length} of {formatCount(changed, "resource")} done.{" "}
          {running.slice(0, NAMED).map(({ id, name, status, latest_status }) => (
            <span key={id}>
              <Link to={["deployments", id]}>{name}</Link> {/DELETE/.test(status)
                ? status
                : (latest_status ?? status)}{" "}
            </span>
          ))}
          {running.length > NAMED && `and ${running.length - NAMED} more`}
        </p>
      ))}
    </section>
  );
}
