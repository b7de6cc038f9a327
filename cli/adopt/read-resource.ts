/** Reads resources with the same definitions as a refresh, so that the two always agree. */
import { parseMarker } from "../../provider/definition/ownership";
import type { Report } from "../../provider/engine/log";
import { OutgoingText } from "../../provider/engine/outgoing-text";
import { ProviderSession } from "../../provider/engine/session";
import type { Clock } from "../../provider/http/clock";
import { validate } from "../../provider/plan/check";
import { SCHEMA, serialize } from "../../provider/plan/property-values";
import { stubOf } from "../../sdk/stub";
import type { Config } from "../shared/stack-config";
import { passwordIn, withoutSecrets } from "./secrets";
import { declarable } from "./to-inputs";
import { type Adopted, type Candidate, definitionOf, type Kind, type LeftOut } from "./types";

export type Read = { adopted: Omit<Adopted, "name" | "variable"> } | { left: LeftOut };

export interface ReadOptions {
  config: Config;
  clock: Clock;
  /** Whether resources of other Pulumi programs are adopted as well. */
  includeOwned: boolean;
  /** Reports a note about the whole run. */
  note(text: string): void;
}

/** Creates the reader of a run; one reader batches the requests of all its resources. */
export function reader({ config, clock, includeOwned, note }: ReadOptions): (candidate: Candidate) => Promise<Read> {
  const report: Report = { progress() {}, info() {}, warn: (_urn, text) => note(text), flush: async () => undefined };
  const sessions = new Map<Kind, ProviderSession>();
  const sessionOf = (kind: Kind) => {
    const { server } = definitionOf(kind);
    const session =
      sessions.get(kind) ?? new ProviderSession((key) => config[key], server, clock, new OutgoingText(report));
    sessions.set(kind, session);
    return session;
  };
  return async (candidate) => {
    const { kind, id, title } = candidate;
    const left = (why: string): Read => ({ left: { kind, id, title, why } });
    const definition = definitionOf(kind);
    const session = sessionOf(kind);
    const declared = declarable(definition, candidate.declared);
    const ctx = session.context(definition, {}, "update");
    // With the workspace of the settings, a definition treats this as a refresh and does not warn about credentials.
    const seen = await definition.read(id, declared, { tenantId: session.settings.tenantId }, ctx);
    if (!seen) return left("it was deleted before it could be read");
    if (seen.marker !== undefined && !includeOwned)
      return left(`managed by ${owner(seen.marker)} (adopt it with --include-owned)`);
    const { failures } = validate(definition, seen.inputs, {}, () => false, session.settings);
    const wrong = failures.map(({ path, reason }) => `${path} ${reason}`).join("; ");
    if (wrong !== "") return left(`its values are not valid inputs: ${wrong}`);
    const inputs = withoutSecrets(definition, serialize(seen.inputs));
    const readable = passwordIn(inputs);
    if (readable !== undefined)
      return left(`${readable} contains a password, which would be written to disk in plain text`);
    if (areMasked(seen.inputs.secrets)) note(MASKED);
    const hidden = { __provider: stubOf(definition.kind), __schema: SCHEMA };
    const owned = {
      __server: session.server(seen.state, definition.endpointFromInputs?.(seen.inputs)),
      __owner: seen.marker,
    };
    return { adopted: { kind, id, title, inputs, outputs: serialize({ ...seen.state, ...hidden, ...owned }) } };
  };
}

/** Describes the owner in an ownership marker; a marker of another tool is returned unchanged. */
function owner(marker: string): string {
  const { stack, project, resource } = parseMarker(marker) ?? {};
  const [, name] = /^.+?::(.+)$/s.exec(resource ?? "") ?? [];
  return name === undefined ? marker : `${name} in stack ${stack} of project ${project}`;
}

/** Whether the server hides the values of secrets, which then read as empty strings. */
const areMasked = (secrets: unknown): boolean => {
  const values = Object.values(secrets ?? {});
  return values.length > 0 && values.every((value) => value === "");
};
const MASKED =
  "This server does not return the values of secrets, so they cannot be compared. The first `pulumi up` sends them, which creates a revision of each deployment that has secrets.";
