import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Live } from "../../data/live";
import { useRequests } from "../../data/requests";
import { CHANGES } from "./filter";
import { RequestList } from "./list";

/** What clients asked for about one resource, newest first. */
export function ResourceRequests({ live, id }: { live: Live; id: string }): JSX.Element {
  const [showsReads, setShowsReads] = useState(false);
  const filter = useMemo(() => ({ resource: id, method: showsReads ? "" : CHANGES }), [id, showsReads]);
  const requests = useRequests(filter, live.lastRequest, live.connected);
  return (
    <section aria-labelledby="resource-requests">
      <div class="heading">
        <h3 id="resource-requests">Requests</h3>
        <label class="check">
          <input
            type="checkbox"
            checked={showsReads}
            onChange={({ currentTarget }) => setShowsReads(currentTarget.checked)}
          />
          Show reads (GET)
        </label>
      </div>
      <p class="hint">What Pulumi and other clients asked for about this resource, newest first.</p>
      <RequestList
        label="Requests about this resource"
        live={live}
        requests={requests}
        empty={`None in the log${showsReads ? "" : ", except for reads"}.`}
      />
    </section>
  );
}
