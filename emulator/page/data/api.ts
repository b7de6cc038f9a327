import { useEffect, useRef, useState } from "preact/hooks";

/** Sends a request to the admin API. @throws Error with the words of the emulator. */
export async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`/_emulator${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  }).catch(() => {
    throw new Error("The emulator does not respond. Start it again; this page reconnects by itself.");
  });
  const text = await response.text();
  const json = text === "" ? undefined : JSON.parse(text);
  if (!response.ok) throw new Error(describeDetail(json?.detail) ?? `The emulator responded with ${response.status}.`);
  return json;
}

function describeDetail(detail: unknown): string | undefined {
  if (typeof detail === "string") return detail;
  if (!Array.isArray(detail)) return undefined;
  return detail.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; ");
}

/** A response: `data` stays that of the previous request for the same path until the next one arrives. */
export interface Loaded<T> {
  data?: T;
  error?: string;
}

/** Reads an object of an agent server again whenever its row changes. */
export function useObject<T>(kind: string, row: { id: string } | undefined, deploymentId: string, id: string) {
  const wasListed = useRef(false);
  wasListed.current ||= row !== undefined;
  const wasDeleted = wasListed.current && row === undefined;
  const path = `/agents/${encodeURIComponent(deploymentId)}/${kind}/${encodeURIComponent(id)}`;
  return { ...useAdmin<T>(wasDeleted ? undefined : path, row && JSON.stringify(row)), wasDeleted };
}

const pathOf = (path = "") => path.split("?")[0];

/** Requests a path now, and again whenever its query or `version` changes; nothing without a path. */
export function useAdmin<T>(path: string | undefined, version: unknown): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T> & { path?: string }>({});
  // A new version is the reason to request the same path again.
  useEffect(() => {
    let current = true;
    if (path === undefined) return;
    send<T>("GET", path).then(
      (data) => current && setLoaded({ data, path }),
      ({ message }: Error) => current && setLoaded({ error: message, path }),
    );
    return () => {
      current = false;
    };
  }, [path, version]);
  return pathOf(loaded.path) === pathOf(path) ? loaded : {};
}
