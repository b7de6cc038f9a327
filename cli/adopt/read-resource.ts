/** Reads what may be declared by the very definitions that a refresh reads it with, so that both always agree. */
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
  /** Whether what another program owns is adopted as well. */
  includeOwned: boolean;
  /** What was noticed on the way. */
  note(text: string): void;
}

/** One reader a run, since what it reads is asked of the service in few requests. */
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
    // The workspace is that of the settings: with it a definition knows that nobody compares credentials here.
    const seen = await definition.read(id, declared, { tenantId: session.settings.tenantId }, ctx);
    if (!seen) return left("it was gone when it was read");
    if (seen.marker !== undefined && !includeOwned)
      return left(`it belongs to ${owner(seen.marker)} (--include-owned)`);
    const { failures } = validate(definition, seen.inputs, {}, () => false, session.settings);
    const wrong = failures.map(({ path, reason }) => `${path} ${reason}`).join("; ");
    if (wrong !== "") return left(`it cannot be declared as it is: ${wrong}`);
    const inputs = withoutSecrets(definition, serialize(seen.inputs));
    const readable = passwordIn(inputs);
    if (readable !== undefined) return left(`${readable} holds a password, which would be written to disk readable`);
    if (areMasked(seen.inputs.secrets)) note(MASKED);
    const hidden = { __provider: stubOf(definition.kind), __schema: SCHEMA };
    const owned = {
      __server: session.server(seen.state, definition.endpointFromInputs?.(seen.inputs)),
      __owner: seen.marker,
    };
    return { adopted: { kind, id, title, inputs, outputs: serialize({ ...seen.state, ...hidden, ...owned }) } };
  };
}

/** A mark in words; one that another tool wrote stays as it is. */
function owner(marker: string): string {
  const { stack, project, resource } = parseMarker(marker) ?? {};
  const [, name] = /^.+?::(.+)$/s.exec(resource ?? "") ?? [];
  return name === undefined ? marker : `stack ${stack} of project ${project}, as ${name}`;
}

/** A service that shows no values is read as one that holds empty ones. */
const areMasked = (secrets: unknown): boolean => {
  const values = Object.values(secrets ?? {});
  return values.length > 0 && values.every((value) => value === "");
};
const MASKED =
  "This service does not show the values of secrets, so they cannot be compared: the first `pulumi up` sends them, which makes a revision of each deployment that has some.";
