import type { RequestFilter } from "../../data/requests";
import { useParameter } from "../../data/route";
import { CheckField, SelectField, TextField } from "../../ui/fields";

const ALL = ["", "All"] as const;
const METHODS = [ALL, "GET", "POST", "PUT", "PATCH", "DELETE"];
const STATUSES = [
  ALL,
  ["2xx", "Successful"],
  ["4xx", "Rejected"],
  ["5xx", "Server errors"],
  ["none", "Closed without a response"],
] as const;

interface FilterFields {
  filter: RequestFilter;
  set: Record<keyof RequestFilter, (value: string) => void>;
}

/** The filter that the address contains. */
export function useRequestFilter(): FilterFields {
  const [method, setMethod] = useParameter("method");
  const [status, setStatus] = useParameter("status");
  const [path, setPath] = useParameter("path");
  const [resource, setResource] = useParameter("resource");
  const [reads, setReads] = useParameter("reads");
  return {
    filter: { method, status, path, resource, reads: reads !== "" },
    set: { method: setMethod, status: setStatus, path: setPath, resource: setResource, reads: setReads },
  };
}

/** Selects requests. Each field applies without a button. */
export function RequestFilterForm({ filter, set }: FilterFields) {
  const clear = () => {
    for (const setField of Object.values(set)) setField("");
  };
  return (
    <form class="filter" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <SelectField label="Method" value={filter.method} options={METHODS} onChange={set.method} />
      <SelectField label="Status" value={filter.status} options={STATUSES} onChange={set.status} />
      <TextField label="Path" type="search" placeholder="such as /v2/**" value={filter.path} onChange={set.path} />
      <TextField label="Resource ID" type="search" value={filter.resource} onChange={set.resource} />
      <CheckField
        label="Show reads (GET)"
        checked={filter.reads}
        onChange={(checked) => set.reads(checked ? "shown" : "")}
      />
      {Object.values(filter).some(Boolean) && (
        <button type="button" onClick={clear}>
          Clear filter
        </button>
      )}
    </form>
  );
}
