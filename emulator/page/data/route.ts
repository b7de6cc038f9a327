import { useState } from "preact/hooks";
import { useWindowEvent } from "./window-event";

/** Where the page is: the parts of the address after `#/`, decoded. */
export function useRoute(): string[] {
  const [path = ""] = useHash()[0].replace(/^#\/?/, "").split("?");
  return path.split("/").filter(Boolean).map(decode);
}

export type AddressParameters = ReturnType<typeof useParameters>;

/** The parameters of the address, "" by default, also for fields of a form: a filter survives a reload. */
export function useParameters() {
  const [hash, setHash] = useHash();
  const get = (name: string) => parametersOf(hash).get(name) ?? "";
  const set = (name: string, value: string) => {
    const parameters = parametersOf(location.hash);
    if (value === "") parameters.delete(name);
    else parameters.set(name, value);
    const path = location.hash.split("?")[0] || "#/deployments";
    history.replaceState(null, "", path + (parameters.size > 0 ? `?${parameters}` : ""));
    setHash(location.hash);
  };
  const text = (name: string) => ({ value: get(name), onChange: (value: string) => set(name, value) });
  const flag = (name: string) => ({
    checked: get(name) !== "",
    onChange: (checked: boolean) => set(name, checked ? "shown" : ""),
  });
  return { get, set, text, flag };
}

function useHash() {
  const state = useState(location.hash);
  useWindowEvent("hashchange", () => state[1](location.hash));
  return state;
}

const queryOf = (hash: string) => hash.split("?")[1] ?? "";
const parametersOf = (hash: string) => new URLSearchParams(queryOf(hash));

/** The view before the request that is open. */
let previous = "#/requests";
let navigated = false;

addEventListener("hashchange", ({ oldURL }) => {
  navigated = true;
  const { hash } = new URL(oldURL);
  if (!hash.startsWith("#/requests/")) previous = hash;
});

/** Whether this view is not the first one since the page was loaded, which has the focus where the browser puts it. */
export function hasNavigated(): boolean {
  return navigated;
}

/** Returns from a request to the list, or to the view of the resource from which it was opened. */
export function returnToPrevious(): void {
  location.hash = previous;
}

export function linkTo(...parts: (string | number)[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** Returns the address of a request. The filter of the list behind it stays. */
export function linkToRequest(id: number): string {
  const query = location.hash.startsWith("#/requests") ? queryOf(location.hash) : "";
  return linkTo("requests", id) + (query && `?${query}`);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
