import { useState } from "preact/hooks";
import { useLive } from "../../data/live";
import { useRequests } from "../../data/requests";
import { CheckField } from "../../ui/fields";
import { Section } from "../../ui/text";
import { RequestList } from "./list";

/** What clients asked for about one resource, newest first, and its list. */
export function useResourceRequests(id: string) {
  const [showsReads, setShowsReads] = useState(false);
  const requests = useRequests({ resource: id, reads: showsReads ? "shown" : "" }, useLive().connected);
  const list = (
    <>
      <div class="row">
        <p class="hint">What Pulumi and other clients asked for about this resource, newest first.</p>
        <CheckField label="Show reads (GET)" checked={showsReads} onChange={setShowsReads} />
      </div>
      <RequestList
        label="Requests about this resource"
        requests={requests}
        empty={`None in the log${showsReads ? "" : ", except for reads"}.`}
      />
    </>
  );
  return { ...requests, list };
}

export function ResourceRequests({ id }: { id: string }) {
  return <Section title="Requests">{useResourceRequests(id).list}</Section>;
}
