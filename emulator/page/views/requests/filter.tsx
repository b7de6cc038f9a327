import type { JSX } from "preact";
import type { RequestFilter } from "../../data/requests";

/** The methods of requests that may change something. */
export const CHANGES = "POST,PUT,PATCH,DELETE";
const METHODS = ["GET", ...CHANGES.split(",")];
const STATUSES = [
  ["2xx", "Successful"],
  ["4xx", "Rejected"],
  ["5xx", "Server errors"],
  ["none", "Closed without a response"],
] as const;

interface RequestFilterFormProps {
  filter: RequestFilter;
  onChange(filter: RequestFilter): void;
}

/** Selects requests. Each field applies without a button. */
export function RequestFilterForm({ filter, onChange }: RequestFilterFormProps): JSX.Element {
  const set = (name: keyof RequestFilter) => (event: Event) =>
    onChange({ ...filter, [name]: (event.currentTarget as HTMLInputElement | HTMLSelectElement).value.trim() });
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <form class="filter" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <label>
        Method
        <select value={filter.method ?? ""} onChange={set("method")}>
          <option value="">All</option>
          <option value={CHANGES}>All but GET</option>
          {METHODS.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </select>
      </label>
      <label>
        Status
        <select value={filter.status ?? ""} onChange={set("status")}>
          <option value="">All</option>
          {STATUSES.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        Path
        <input type="search" placeholder="such as /v2/**" value={filter.path ?? ""} onInput={set("path")} />
      </label>
      <label>
        Resource ID
        <input type="search" value={filter.resource ?? ""} onInput={set("resource")} />
      </label>
      {isFiltered && (
        <button type="button" onClick={() => onChange({})}>
          Clear filter
        </button>
      )}
    </form>
  );
}
