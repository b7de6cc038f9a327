import { useEffect, useRef, useState } from "preact/hooks";
import { useAdmin } from "../../data/api";
import type { Live } from "../../data/live";
import { returnToPrevious } from "../../data/route";
import type { RequestDetail } from "../../data/types";
import { formatDateTime, formatDuration, visible } from "../../ui/format";
import { HttpStatus } from "../../ui/status";
import { Code, Empty, Json, Link, Problem, Properties, Text } from "../../ui/text";

/** One request with its bodies. Secret values are requested only when the reader asks for them. */
export function RequestDialog({ id, live }: { id: string; live: Live }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [showsSecrets, setShowsSecrets] = useState(false);
  const suffix = showsSecrets ? "?secrets=shown" : "";
  const { data: request, error } = useAdmin<RequestDetail>(`/request-log/${encodeURIComponent(id)}${suffix}`, 0);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    <dialog ref={dialog} aria-labelledby="request-title" onClose={returnToPrevious}>
      <div class="heading">
        <h3 id="request-title">Request {visible(id)}</h3>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      {error !== undefined && <Problem>{error}</Problem>}
      {request === undefined && error === undefined && <Empty>Loading …</Empty>}
      {request && <Detail request={request} live={live} />}
      {request?.has_secrets && (
        <button type="button" onClick={() => setShowsSecrets(!showsSecrets)} aria-pressed={showsSecrets}>
          Show secret values
        </button>
      )}
      {request && <Bodies request={request} />}
    </dialog>
  );
}

function Detail({ request, live }: { request: RequestDetail; live: Live }) {
  const { method, path, query, status, operation, client, time, duration_ms, notes, fault } = request;
  const deployment = live.deployments.find((candidate) => request.resources.includes(candidate.id));
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

function Bodies({ request: { request_body, response_body, status } }: { request: RequestDetail }) {
  return (
    <>
      <h4>Request body</h4>
      {request_body === null ? <Empty>None</Empty> : <Json value={request_body} label="Request body" />}
      <h4>Response body</h4>
      {response_body === null ? (
        <Empty>{status === 204 || status === null ? "None" : "Empty, or no longer kept"}</Empty>
      ) : (
        <Json value={response_body} label="Response body" />
      )}
    </>
  );
}
