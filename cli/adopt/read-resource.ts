/** Reads resources with the same definitions as a refresh, so that the two always agree. */
import { OutgoingText, type Report } from "../../provider/engine/host/log";
import { RunState } from "../../provider/engine/run/run-state";
import { ProviderSession } from "../../provider/engine/session";
import type { Clock } from "../../provider/http/clock";
import { validate } from "../../provider/plan/check";
import { toDeclaredInputs } from "../../provider/plan/declared-inputs";
import { joinFacts, SCHEMA } from "../../provider/plan/facts";
import { serialize } from "../../provider/plan/property-values";
import { readSettings } from "../../provider/settings/settings";
import { stubOf } from "../../sdk/nodejs/stub";
import type { Config } from "../shared/pulumi/stack-config";
import { describeOwner, findManagedProjects, hiddenOwner, type ManagedProjects, managedBy } from "./managed-projects";
import { findPassword, replaceSecrets } from "./secrets";
import { type Adopted, type Candidate, definitionOf, type Kind, type Skipped } from "./types";

export type ReadOutcome = { adopted: Omit<Adopted, "name" | "variable"> } | { skipped: Skipped };

export interface ReadOptions {
  config: Config;
  clock: Clock;
  /** Whether resources of other Pulumi programs are adopted as well. */
  includeOwned: boolean;
  /** Reports a note about the whole run. */
  note(text: string): void;
}

export interface Reader {
  read(candidate: Candidate): Promise<ReadOutcome>;
  /** Finds the tracing projects of the deployments that other programs manage. */
  managedProjects(): Promise<ManagedProjects>;
}

/** Creates the reader of a run; one reader batches the requests of all its resources. */
export function createReader({ config, clock, includeOwned, note }: ReadOptions): Reader {
  const report: Report = {
    show: (kind, _urn, text) => (kind === "warn" ? note(text) : undefined),
    flush: async () => undefined,
  };
  const sessions = new Map<Kind, ProviderSession>();
  const environment = { clock, report: new OutgoingText(report), run: new RunState() };
  const sessionOf = (kind: Kind) => {
    const session = sessions.get(kind) ?? new ProviderSession((key) => config[key], definitionOf(kind), environment);
    sessions.set(kind, session);
    return session;
  };
  const read = async (candidate: Candidate): Promise<ReadOutcome> => {
    const { kind, id, title } = candidate;
    const skip = (reason: string): ReadOutcome => ({ skipped: { kind, id, title, reason } });
    const definition = definitionOf(kind);
    const session = sessionOf(kind);
    const listed = toDeclaredInputs(definition, candidate.declared);
    const ctx = session.context("update", { properties: listed, facts: {} });
    const { fetch, isListedOnRequest, toInputs } = definition.adopt;
    const found = isListedOnRequest && (await fetch(id, listed, ctx));
    const declared = found
      ? { ...toDeclaredInputs(definition, toInputs(found, listed, ctx.settings)), ...listed }
      : listed;
    // With the workspace of the settings, a definition treats this as a refresh and does not warn about credentials.
    const remote = await definition.read(id, declared, { tenantId: session.settings.tenantId }, ctx);
    if (!remote) return skip("it was deleted before it could be read");
    const { marker } = remote;
    const owner = marker === undefined ? await hiddenOwner(kind, id, ctx.clients) : describeOwner(marker);
    if (owner !== undefined && !includeOwned) return skip(managedBy(owner));
    const { failures } = validate(definition, remote.inputs, { previous: {}, settings: session.settings });
    const problems = failures.map(({ path, reason }) => `${path} ${reason}`).join("; ");
    if (problems !== "") return skip(`its values are not valid inputs: ${problems}`);
    const inputs = replaceSecrets(definition, serialize(remote.inputs));
    const passwordPath = findPassword(inputs);
    if (passwordPath !== undefined)
      return skip(`${passwordPath} contains a secret, which would be written to disk in plain text`);
    if (areHidden(remote.inputs.secrets)) note(SECRETS_HIDDEN);
    if (remote.omission !== undefined) note(remote.omission);
    const facts = {
      provider: stubOf(definition.kind),
      schema: SCHEMA,
      server: session.server({ ...remote.inputs, ...remote.state }),
      ...(marker !== undefined && { owner: marker }),
    };
    const outputs = joinFacts({ properties: serialize(remote.state), facts });
    return { adopted: { kind, id, title, inputs, outputs } };
  };
  const managedProjects = () => {
    const settings = readSettings((key) => config[key]);
    return findManagedProjects(settings, () => environment.run.clients(settings, clock));
  };
  return { read, managedProjects };
}

/** Whether the server hides the values of secrets, which then read as empty strings. */
const areHidden = (secrets: unknown): boolean => {
  const values = Object.values(secrets ?? {});
  return values.length > 0 && values.every((value) => value === "");
};
const SECRETS_HIDDEN =
  "This server does not return the values of secrets, so they cannot be compared. The first `pulumi up` sends " +
  "them, which creates a revision of each deployment that has secrets.";
