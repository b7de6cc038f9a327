import { useMemo, useState } from "preact/hooks";
import type { Live } from "../../data/live";
import { type Requests, useRequests } from "../../data/requests";
import { CheckField } from "../../ui/fields";
import { RequestList } from "./list";

interface RequestsOfResourceProps {
  live: Live;
  requests: Requests;
  showsReads: boolean;
  onChange(showsReads: boolean): void;
}

/** What clients asked for about one resource, newest first. */
export function ResourceRequests({ live, id }: { live: Live; id: string }) {
  const [showsReads, setShowsReads] = useState(false);
  const filter = useMemo(() => ({ resource: id, reads: showsReads }), [id, showsReads]);
  const requests = useRequests(filter, live.lastRequest, live.connected);
  return (
    <section aria-labelledby="resource-requests">
      <h3 id="resource-requests">Requests</h3>
      <RequestsOfResource live={live} requests={requests} showsReads={showsReads} onChange={setShowsReads} />
    </section>
  );
}

export function RequestsOfResource({ live, requests, showsReads, onChange }: RequestsOfResourceProps) {
  return (
    <>
      <div class="heading">
        <p class="hint">What Pulumi and other clients asked for about this resource, newest first.</p>
        <CheckField label="Show reads (GET)" checked={showsReads} onChange={onChange} />
      </div>
      <RequestList
        label="Requests about this resource"
        live={live}
        requests={requests}
        empty={`None in the log${showsReads ? "" : ", except for reads"}.`}
      />
    </>
  );
}
