import { useEffect, useState } from "preact/hooks";

/** Where the page is: the parts of the address after `#/`, decoded. */
export function useRoute(): string[] {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = () => setHash(location.hash);
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  const parts = hash.replace(/^#\/?/, "").split("?")[0] ?? "";
  return parts.split("/").filter(Boolean).map(decode);
}

/** The view before the request that is open. */
let previous = "#/requests";

addEventListener("hashchange", ({ oldURL }) => {
  const { hash } = new URL(oldURL);
  if (!hash.startsWith("#/requests/")) previous = hash;
});

/** Returns from a request to the list, or to the view of the resource from which it was opened. */
export function returnToPrevious(): void {
  location.hash = previous;
}

/** Returns the address of a view. */
export function linkTo(...parts: (string | number)[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
