import { useEffect, useState } from "preact/hooks";
import { useLive } from "../../data/live";
import { useRequests } from "../../data/requests";
import { type AddressParameters, useParameters } from "../../data/route";
import { useWindowEvent } from "../../data/window-event";
import { Button, CheckField, SelectField, TextField } from "../../ui/fields";
import { formatCount } from "../../ui/format";
import { Heading } from "../../ui/text";
import { RequestDialog } from "./dialog";
import { RequestList } from "./list";

const FILTER = ["method", "status", "path", "resource", "reads"];
const ALL = ["", "All"] as const;
const METHODS = [ALL, "GET", "POST", "PUT", "PATCH", "DELETE"];
const STATUSES = [
  ALL,
  ["2xx", "Successful"],
  ["4xx", "Rejected"],
  ["5xx", "Server errors"],
  ["none", "Closed without a response"],
] as const;

export function RequestLog({ opened }: { opened: string | undefined }) {
  const parameters = useParameters();
  const filter = Object.fromEntries(FILTER.map((name) => [name, parameters.get(name)]));
  const requests = useRequests(useSettled(filter), useIsAtTop());
  return (
    <>
      <Heading title="Requests" />
      <p class="hint">
        Every request that clients such as Pulumi sent to the platform, newest first. Open one to see its bodies.
      </p>
      <FilterForm {...parameters} />
      {requests.newer > 0 && (
        <Button
          text={`Show ${formatCount(requests.newer, "newer request")}`}
          class="waiting-requests"
          onClick={() => scrollTo({ top: 0 })}
        />
      )}
      <p class="count minor">{formatCount(useLive().totals.requests, "request")} in the log</p>
      <RequestList label="Requests" requests={requests} empty="No requests match." />
      {opened !== undefined && <RequestDialog id={opened} />}
    </>
  );
}

/** Selects requests. Each field applies without a button. */
function FilterForm({ get, set, text, flag }: AddressParameters) {
  const clear = () => {
    for (const name of FILTER) set(name, "");
  };
  return (
    <form class="row filter" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <SelectField label="Method" {...text("method")} options={METHODS} />
      <SelectField label="Status" {...text("status")} options={STATUSES} />
      <TextField label="Path" {...text("path")} type="search" placeholder="such as /v2/**" />
      <TextField label="Resource ID" {...text("resource")} type="search" />
      <CheckField label="Show reads (GET)" {...flag("reads")} />
      {FILTER.some(get) && <Button text="Clear filter" onClick={clear} />}
    </form>
  );
}

/** How long nothing was typed before a filter applies, in milliseconds. Each request may read the whole log. */
const TYPING_MS = 250;

/** Returns a value once it has not changed for a moment. */
function useSettled<T extends object>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [JSON.stringify(value)]);
  return settled;
}

/** Returns whether the page is scrolled to its top. Further down, new rows would move what is being read. */
function useIsAtTop(): boolean {
  const [isAtTop, setIsAtTop] = useState(true);
  useWindowEvent("scroll", () => setIsAtTop(scrollY < 200));
  return isAtTop;
}
