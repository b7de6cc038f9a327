import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useAdmin } from "../../data/api";
import { emulatedNow, type Live } from "../../data/live";
import { linkTo, returnToPrevious } from "../../data/route";
import type { RequestDetail } from "../../data/types";
import { formatDuration, formatTime, visible } from "../../ui/format";
import { HttpStatus } from "../../ui/status";
import { Code, Empty, Json, Problem, Property, Text } from "../../ui/text";

/** One request with its bodies. Secret values are requested only when the reader asks for them. */
export function RequestDialog({ id, live }: { id: string; live: Live }): JSX.Element {
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

function Detail({ request, live }: { request: RequestDetail; live: Live }): JSX.Element {
  const { method, path, query, status, operation, client, time, duration_ms, notes, fault } = request;
  const deployment = live.deployments.find((candidate) => request.resources.includes(candidate.id));
  const parameters = Object.entries(query).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  return (
    <>
      <p class="request-line">
        <span class="method">{visible(method)}</span>{" "}
        <Code>{parameters.length === 0 ? path : `${path}?${parameters.join("&")}`}</Code>
      </p>
      <dl class="properties">
        <Property name="Status">
          <HttpStatus status={status} />
        </Property>
        <Property name="Operation">{operation ?? "Unknown path"}</Property>
        {deployment && (
          <Property name="Deployment">
            <a href={linkTo("deployments", deployment.id)}>
              <Text>{deployment.name}</Text>
            </a>
          </Property>
        )}
        <Property name="Time">{`${formatTime(time, emulatedNow(live))}, took ${formatDuration(duration_ms)}`}</Property>
        <Property name="Client">
          <Text>{client ?? "Unknown"}</Text>
        </Property>
        {fault !== null && <Property name="Injected fault">{visible(fault)}</Property>}
        {notes.length > 0 && (
          <Property name="Notes">
            <Text>{notes.join("; ")}</Text>
          </Property>
        )}
      </dl>
    </>
  );
}

function Bodies({ request: { request_body, response_body, status } }: { request: RequestDetail }): JSX.Element {
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
