import { useState } from "preact/hooks";
import type { Bodies, RequestLogEntry } from "../../../src/runtime/descriptions";
import { useAdmin } from "../../data/api";
import { useLive } from "../../data/live";
import { returnToPrevious } from "../../data/route";
import { Dialog } from "../../ui/dialog";
import { Button } from "../../ui/fields";
import { formatDateTime, formatDuration, visible } from "../../ui/format";
import { HttpStatus } from "../../ui/status";
import { Code, Empty, Json, Link, Pending, Properties, Text } from "../../ui/text";

type RequestDetail = RequestLogEntry & Bodies;

/** One request with its bodies. Secret values are requested only when the reader asks for them. */
export function RequestDialog({ id }: { id: string }) {
  const [showsSecrets, setShowsSecrets] = useState(false);
  const suffix = showsSecrets ? "?secrets=shown" : "";
  const { data: request, error } = useAdmin<RequestDetail>(`/request-log/${encodeURIComponent(id)}${suffix}`, 0);
  const toggle = () => setShowsSecrets(!showsSecrets);
  return (
    <Dialog title={`Request ${visible(id)}`} onClose={returnToPrevious}>
      {request ? <Detail request={request} /> : <Pending error={error} />}
      {request?.has_secrets && <Button text="Show secret values" onClick={toggle} aria-pressed={showsSecrets} />}
      {request && <BodyParts request={request} />}
    </Dialog>
  );
}

function Detail({ request }: { request: RequestDetail }) {
  const { method, path, query, status, operation, client, time, duration_ms, notes, fault } = request;
  const deployment = useLive().deployments.find((candidate) => request.resources.includes(candidate.id));
  const parameters = Object.entries(query).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  return (
    <>
      <p class="request-line">
        <span class="method">{visible(method)}</span>{" "}
        <Code>{parameters.length === 0 ? path : `${path}?${parameters.join("&")}`}</Code>
      </p>
      <Properties
        of={{
          Status: <HttpStatus status={status} />,
          Operation: operation ?? "Unknown path",
          Deployment: deployment && <Link to={["deployments", deployment.id]}>{deployment.name}</Link>,
          Time: `${formatDateTime(time)}, took ${formatDuration(duration_ms)}`,
          Client: <Text>{client ?? "Unknown"}</Text>,
          "Injected fault": fault !== null && visible(fault),
          Notes: notes.length > 0 && <Text>{notes.join("; ")}</Text>,
        }}
      />
    </>
  );
}

function BodyParts({ request: { request_body, response_body, status } }: { request: RequestDetail }) {
  const missing = status === 204 || status === null ? "None" : "Empty, or no longer kept";
  return (
    <>
      <h4>Request body</h4>
      {request_body === null ? <Empty>None</Empty> : <Json value={request_body} label="Request body" />}
      <h4>Response body</h4>
      {response_body === null ? <Empty>{missing}</Empty> : <Json value={response_body} label="Response body" />}
    </>
  );
}
