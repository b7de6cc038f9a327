import { useEffect, useState } from "preact/hooks";

/** Where the page is: the parts of the address after `#/`, decoded. */
export function useRoute(): string[] {
  const [hash, setHash] = useState(location.hash);
  useHashChange(() => setHash(location.hash));
  const [path = ""] = hash.replace(/^#\/?/, "").split("?");
  return path.split("/").filter(Boolean).map(decode);
}

/** A parameter of the address, "" by default, and a function that sets it, so that a filter survives a reload. */
export function useParameter(name: string): [string, (value: string) => void] {
  const read = () => new URLSearchParams(queryOf(location.hash)).get(name) ?? "";
  const [value, setValue] = useState(read);
  useHashChange(() => setValue(read()));
  const set = (next: string) => {
    const parameters = new URLSearchParams(queryOf(location.hash));
    if (next === "") parameters.delete(name);
    else parameters.set(name, next);
    const query = parameters.toString();
    const path = location.hash.split("?")[0] || "#/deployments";
    history.replaceState(null, "", path + (query && `?${query}`));
    setValue(next);
  };
  return [value, set];
}

function useHashChange(update: () => void): void {
  useEffect(() => {
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
}

const queryOf = (hash: string) => hash.split("?")[1] ?? "";

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

/** Returns the address of a view. */
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
