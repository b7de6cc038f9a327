import { useEffect, useRef, useState } from "preact/hooks";
import { useLive } from "./live";
import type { AgentServer } from "./types";

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

/** Whether a row that was in its list no longer is. */
export function useWasDeleted(row: object | undefined): boolean {
  const wasListed = useRef(false);
  wasListed.current ||= row !== undefined;
  return wasListed.current && row === undefined;
}

/** Reads an object of an agent server again whenever its row changes. */
export function useObject<T>(kind: string, row: object | undefined, deploymentId: string, id: string) {
  const wasDeleted = useWasDeleted(row);
  const path = `/agents/${encodeURIComponent(deploymentId)}/${kind}/${encodeURIComponent(id)}`;
  return { ...useAdmin<T>(wasDeleted ? undefined : path, row && JSON.stringify(row)), wasDeleted };
}

/** Reads what the agent server of a deployment is, again whenever another revision is live. */
export function useAgent(deploymentId: string) {
  const version = useLive().deployments.find(({ id }) => id === deploymentId)?.active_revision_id;
  return useAdmin<AgentServer>(`/agents/${encodeURIComponent(deploymentId)}`, version);
}

/** A response: `data` stays that of the previous request for the same path until the next one arrives. */
interface Loaded<T> {
  data?: T;
  error?: string;
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
