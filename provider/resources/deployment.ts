/**
 * Deployment: an agent server, run by the control plane (interface part A).
 *
 * create POST /v2/deployments · read GET · update PATCH · delete DELETE, then until it is gone · each change of what
 * runs is a revision, and create and update return when that revision serves.
 *
 * The surprising rule: in a PATCH both null and absent mean "keep", and a non-null revision field makes a revision even
 * when its value is unchanged. So an update sends only what changed.
 */
import { z } from "zod";
import type { Deployment as Answer, DeploymentBody } from "../api/control-plane";
import { ceilings, mergeSpec, resourceSpec } from "../api/resource-spec";
import { differences, observe } from "../compare";
import {
  type Change,
  type Context,
  defineResource,
  type Found,
  type LeftBehind,
  type Made,
  marks,
  type Rule,
} from "../definition";
import { RequestError } from "../http/errors";
import { OwnershipError, sameStack } from "../ownership";
import { rollout } from "./deployment-rollout";

/** The secret that marks a deployment as made by one resource of one stack. */
export const MARKER = "PULUMI_RESOURCE";

const listenerConfig = z
  .strictObject({
    k8sNamespace: z
      .string()
      .min(1)
      .optional()
      .describe("Namespace to deploy to; the listener's own when absent. A change replaces the deployment."),
  })
  .register(marks, { interface: "ListenerConfigArgs" });

const secretReference = z
  .strictObject({
    secretName: z.string().min(1).describe("Name of an existing orchestrator secret in the deployment's namespace."),
    secretKey: z.string().min(1).describe("Key within that secret."),
  })
  .register(marks, { interface: "SecretReferenceArgs" });

const environmentName = z
  .string()
  .min(1)
  .refine((name) => name !== MARKER, `${MARKER} is kept for the ownership marker; use another name`);

const externalDocker = z
  .strictObject({
    source: z
      .literal("external_docker")
      .describe("A container image from a registry, for self-hosted deployments. A change replaces the deployment."),
    name: z
      .string()
      .min(1)
      .describe(
        "Name of the deployment and of its tracing project, unique in the workspace; from the setting `nameTemplate` when absent. A change replaces the deployment.",
      ),
    sourceConfig: z
      .strictObject({
        listenerId: z
          .uuid()
          .optional()
          .describe(
            "Listener that runs the deployment; the service chooses when absent. A change replaces the deployment.",
          ),
        listenerConfig: listenerConfig.optional().describe("Settings for the listener; needs `listenerId`."),
        customUrl: z
          .url()
          .optional()
          .describe(
            "URL at which the agent server is reached; the service chooses when absent. Cannot be cleared once set.",
          ),
        resourceSpec: resourceSpec
          .optional()
          .describe("Replicas, CPU and memory; the service's defaults when absent. A change makes a revision."),
      })
      .register(marks, { interface: "ExternalDockerSourceConfigArgs" })
      .optional()
      .describe("Where and how it runs; the service's defaults when absent."),
    sourceRevisionConfig: z
      .strictObject({
        imageUri: z.string().min(1).describe("Container image to run, best with a digest. A change makes a revision."),
      })
      .register(marks, { interface: "ExternalDockerSourceRevisionConfigArgs" })
      .describe("What runs."),
    secrets: z
      .record(environmentName, z.string())
      .optional()
      .describe(
        "Environment variables of the container by name, kept secret; none when absent. A change makes a revision.",
      ),
    secretReferences: z
      .record(environmentName, secretReference)
      .optional()
      .describe(
        "Environment variables filled from orchestrator secrets, by variable name; none when absent. Takes effect with the next revision.",
      ),
  })
  .register(marks, { interface: "ExternalDockerDeploymentArgs" });

const inputs = z.discriminatedUnion("source", [externalDocker]);
type Inputs = z.infer<typeof inputs>;

const outputs = z.object({
  tenantId: z.string().describe("Workspace that owns the deployment."),
  url: z.string().optional().describe("URL of the agent server; absent until the first revision serves."),
  latestRevisionId: z.string().optional().describe("The newest revision, whatever became of it."),
  activeRevisionId: z.string().optional().describe("The revision that serves now."),
  status: z.string().describe("AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN (interface section 3)."),
  createdAt: z.string().describe("When it was created, as the service says it."),
  updatedAt: z.string().describe("When it was last changed, as the service says it."),
  imageVersion: z.string().optional().describe("Version of the platform's base image, where the service tells it."),
  isManagedDeepAgent: z
    .boolean()
    .describe("Whether the platform manages the agent itself; false where the service does not tell."),
});
export type State = z.infer<typeof outputs>;

const rules: Rule<Inputs>[] = [
  {
    paths: ["sourceConfig.listenerConfig", "sourceConfig.listenerId"],
    check: ({ sourceConfig }) =>
      sourceConfig?.listenerConfig && !sourceConfig.listenerId
        ? {
            path: "sourceConfig.listenerConfig",
            reason: "needs sourceConfig.listenerId: it is settings for that listener.",
          }
        : undefined,
  },
  {
    paths: ["sourceConfig.customUrl"],
    check: ({ sourceConfig }, previous) =>
      previous.sourceConfig?.customUrl && !sourceConfig?.customUrl
        ? {
            path: "sourceConfig.customUrl",
            reason: `cannot be cleared: the service keeps it. Keep "${previous.sourceConfig.customUrl}", or write another one.`,
          }
        : undefined,
  },
  {
    paths: ["secrets", "secretReferences"],
    check: ({ secrets = {}, secretReferences = {} }) =>
      Object.keys(secretReferences)
        .filter((name) => name in secrets)
        .map((name) => ({
          path: `secretReferences.${name}`,
          reason: `is also in secrets; write ${name} in one of the two.`,
        })),
  },
  {
    paths: ["sourceConfig.resourceSpec"],
    severity: "warning",
    check: ({ sourceConfig }) => specWarnings(sourceConfig?.resourceSpec ?? {}),
  },
  {
    paths: ["name"],
    severity: "warning",
    check: ({ name }) =>
      /^[a-z][a-z0-9-]*$/.test(name)
        ? undefined
        : {
            path: "name",
            reason: `"${name}" may be refused: use lower-case letters, digits and hyphens, first a letter.`,
          },
  },
  {
    paths: ["sourceRevisionConfig.imageUri"],
    severity: "warning",
    check: ({ sourceRevisionConfig: { imageUri } }) =>
      imageUri.includes("@") || /:(?!latest$)[^/:]+$/.test(imageUri)
        ? undefined
        : {
            path: "sourceRevisionConfig.imageUri",
            reason: `"${imageUri}" can change unseen: a later push makes no revision. Write a tag of its own for each build, or a digest.`,
          },
  },
];

function specWarnings(spec: z.infer<typeof resourceSpec>) {
  const above = ceilings.flatMap(({ fields, most, unit }) =>
    fields
      .filter((field) => Number(spec[field] ?? 0) > most)
      .map((field) => ({
        path: `sourceConfig.resourceSpec.${field}`,
        reason: `${spec[field]} is above ${most} ${unit}, the ceiling of the cloud service; a self-hosted one may allow it.`,
      })),
  );
  const scale = (spec.minScale ?? 0) > (spec.maxScale ?? Number.POSITIVE_INFINITY);
  return scale ? [...above, { path: "sourceConfig.resourceSpec.minScale", reason: "is above maxScale." }] : above;
}

/** Which paths, when they change, make the service run something new (interface section 3, rule 1). */
const REVISION_PATHS = ["sourceRevisionConfig", "secrets", "sourceConfig.resourceSpec"];
const makesRevision = (path: string) =>
  REVISION_PATHS.some((prefix) => path === prefix || path.startsWith(`${prefix}.`));
const startsWith = (paths: readonly string[], prefix: string) =>
  paths.some((path) => path === prefix || path.startsWith(`${prefix}.`));

function toState(answer: Answer): State {
  return {
    tenantId: answer.tenantId ?? "",
    url: answer.sourceConfig?.customUrl ?? undefined,
    latestRevisionId: answer.latestRevisionId ?? undefined,
    activeRevisionId: answer.activeRevisionId ?? undefined,
    status: answer.status,
    createdAt: answer.createdAt ?? "",
    updatedAt: answer.updatedAt ?? "",
    imageVersion: answer.imageVersion ?? undefined,
    isManagedDeepAgent: answer.isManagedDeepAgent ?? false,
  };
}

/** What the server holds, in the terms of what is declared. */
function toInputs(answer: Answer, declared: Inputs): Inputs {
  const { name, sourceConfig, sourceRevisionConfig } = answer;
  const held = {
    name,
    source: answer.source,
    // A custom URL is empty until the first revision serves, and a listener's settings may not come back at all.
    sourceConfig: {
      ...sourceConfig,
      customUrl: sourceConfig?.customUrl ?? undefined,
      listenerConfig: sourceConfig?.listenerConfig ?? undefined,
    },
    sourceRevisionConfig,
  };
  return {
    ...observe(externalDocker, declared, held),
    ...observeSecrets(answer, declared),
    ...observeReferences(answer, declared),
  };
}

function observeSecrets(answer: Answer, declared: Inputs): Pick<Inputs, "secrets"> {
  if (!answer.secrets || isMasked(answer)) return { secrets: declared.secrets };
  const held = Object.fromEntries(userSecrets(answer).map(({ name, value }) => [name, value ?? ""]));
  return declared.secrets === undefined && Object.keys(held).length === 0 ? {} : { secrets: held };
}

function observeReferences({ secretReferences }: Answer, declared: Inputs): Pick<Inputs, "secretReferences"> {
  if (secretReferences === undefined) return { secretReferences: declared.secretReferences };
  const held = Object.fromEntries(
    (secretReferences ?? []).map(({ name, secretName, secretKey }) => [name, { secretName, secretKey }]),
  );
  return declared.secretReferences === undefined && Object.keys(held).length === 0 ? {} : { secretReferences: held };
}

const userSecrets = (answer: Answer) => (answer.secrets ?? []).filter(({ name }) => name !== MARKER);
/** A server that does not show values shows the marker neither. */
const isMasked = (answer: Answer) => (answer.secrets ?? []).some(({ value }) => value == null || /^[*•]+$/.test(value));
const markerIn = (answer: Answer) => answer.secrets?.find(({ name }) => name === MARKER)?.value ?? undefined;
const isLeaving = (answer: Answer) => answer.status.startsWith("AWAITING_") && answer.status.endsWith("DELETE");

const secretList = (secrets: Inputs["secrets"], marker: string | undefined) => [
  ...Object.entries(secrets ?? {}).map(([name, value]) => ({ name, value })),
  ...(marker === undefined ? [] : [{ name: MARKER, value: marker }]),
];
const referenceList = (references: Inputs["secretReferences"]) =>
  Object.entries(references ?? {}).map(([name, reference]) => ({ name, ...reference }));

function createBody(wanted: Inputs, marker: string | undefined): DeploymentBody {
  return {
    name: wanted.name,
    source: wanted.source,
    sourceConfig: { ...wanted.sourceConfig, resourceSpec: wanted.sourceConfig?.resourceSpec ?? {} },
    sourceRevisionConfig: wanted.sourceRevisionConfig,
    secrets: secretList(wanted.secrets, marker),
    ...(wanted.secretReferences && { secretReferences: referenceList(wanted.secretReferences) }),
  };
}

/** Only what changed and is not so on the server already; undefined when nothing is to be sent. */
function patchBody(
  { inputs: wanted, previous, paths }: Change<Inputs, State>,
  now: Answer,
  marker: string | undefined,
): DeploymentBody | undefined {
  const differing = new Set(differences(externalDocker, toInputs(now, wanted), wanted));
  const changed = paths.filter((path) => differing.has(path));
  const spec = startsWith(changed, "sourceConfig.resourceSpec") && {
    resourceSpec: mergeSpec(
      now.sourceConfig?.resourceSpec ?? {},
      previous.sourceConfig?.resourceSpec ?? {},
      wanted.sourceConfig?.resourceSpec ?? {},
    ),
  };
  const url = changed.includes("sourceConfig.customUrl") && { customUrl: wanted.sourceConfig?.customUrl };
  const body: DeploymentBody = {
    ...((spec || url) && { sourceConfig: { ...spec, ...url } }),
    ...(startsWith(changed, "sourceRevisionConfig") && { sourceRevisionConfig: wanted.sourceRevisionConfig }),
    ...((startsWith(changed, "secrets") || (isMasked(now) && startsWith(paths, "secrets"))) && {
      secrets: secretList(wanted.secrets, marker),
    }),
    ...(startsWith(changed, "secretReferences") && { secretReferences: referenceList(wanted.secretReferences) }),
  };
  return Object.keys(body).length === 0 ? undefined : body;
}

export const deployment = defineResource<Inputs, State>("Deployment", {
  inputs,
  discriminator: "source",
  outputs,
  named: "name",
  rules,
  replaceOn: ["name", "source", "sourceConfig.listenerId", "sourceConfig.listenerConfig.k8sNamespace"],
  secrets: ["secrets.*"],
  minutes: { create: 30, update: 30, delete: 10 },

  explain(changes, replaces) {
    const names = (paths: readonly string[]) =>
      paths.map((path) => path.replace(/^source(Revision)?Config\./, "")).join(", ");
    if (replaces.length > 0) return `REPLACED, its database and threads are lost: ${names(replaces)}`;
    const revision = changes.filter(makesRevision);
    if (revision.length > 0) return `new revision: ${names(revision)}`;
    if (changes.every((path) => path.startsWith("secretReferences")))
      return `takes effect with the next revision: ${names(changes)}`;
    return `in place: ${names(changes)}`;
  },

  async find(wanted, ctx): Promise<Found | undefined> {
    const taken = await ctx.directory.byName(wanted.name);
    if (!taken) return undefined;
    if (isLeaving(taken))
      return untilGone(taken.id, ctx, `the old deployment ${taken.id} to free the name "${wanted.name}"`);
    return recognise(taken, wanted, ctx);
  },

  async create(wanted, ctx): Promise<Made<State>> {
    const marker = ctx.settings.ownerMarker ? ctx.marker : undefined;
    const answer = await createOnce(wanted, marker, ctx);
    ctx.directory.changed(answer);
    return {
      id: answer.id,
      state: toState(answer),
      marker,
      ready: () => rollout(answer.id, wanted, ctx).then(toState),
    };
  },

  async read(id, declared, previous, ctx) {
    const answer = await ctx.directory.byId(id);
    if (answer && !isLeaving(answer)) return { inputs: toInputs(answer, declared), state: toState(answer) };
    if (!answer) await assertSameWorkspace(id, previous.tenantId, ctx);
    return undefined;
  },

  async update(id, change, ctx): Promise<Made<State>> {
    const now = await ctx.controlPlane.getDeployment(id);
    const marker = markerIn(now) ?? ctx.owner ?? (ctx.settings.ownerMarker ? ctx.marker : undefined);
    const body = patchBody(change, now, marker);
    const answer = body ? await updateOnce(id, body, now, ctx) : now;
    ctx.directory.changed(answer);
    const started = answer.latestRevisionId !== now.latestRevisionId;
    const ready = () => rollout(id, change.inputs, ctx, { retryFailed: !started }).then(toState);
    return { id, state: toState(answer), ready };
  },

  async delete(id, previous, ctx): Promise<LeftBehind | undefined> {
    const now = await ctx.directory.byId(id);
    if (!now) return assertSameWorkspace(id, previous.tenantId, ctx);
    const marker = markerIn(now);
    if (!isLeaving(now)) {
      if (marker !== undefined && marker !== ctx.owner) {
        return {
          warning: `Deployment ${id} ("${now.name}") now belongs to ${marker}; it was left in place and is only dropped from this stack's state.`,
        };
      }
      const left = await deleteOnce(now, ctx);
      if (left) return left;
    }
    ctx.directory.changed(now);
    return untilGone(id, ctx, `deployment ${id} to be gone`);
  },
});

/** A create whose answer was lost is settled by a look-up, never by a blind second POST. */
async function createOnce(wanted: Inputs, marker: string | undefined, ctx: Context): Promise<Answer> {
  try {
    return await ctx.controlPlane.createDeployment(createBody(wanted, marker));
  } catch (error) {
    if (!(error instanceof RequestError) || !error.mayHaveActed) throw error;
    const made = await ctx.directory.searchName(wanted.name);
    if (!made) throw error;
    if (marker === undefined || isMasked(made) ? bornInThisRun(made, ctx) : markerIn(made) === marker) return made;
    throw error;
  }
}

/** An update whose answer was lost is settled by a look at what it would have changed. */
async function updateOnce(id: string, body: DeploymentBody, before: Answer, ctx: Context): Promise<Answer> {
  try {
    return await ctx.controlPlane.updateDeployment(id, body);
  } catch (error) {
    if (!(error instanceof RequestError) || !error.mayHaveActed) throw error;
    const after = await ctx.controlPlane.getDeployment(id);
    if (after.updatedAt === before.updatedAt && after.latestRevisionId === before.latestRevisionId) throw error;
    return after;
  }
}

async function deleteOnce(now: Answer, ctx: Context): Promise<LeftBehind | undefined> {
  try {
    await ctx.controlPlane.deleteDeployment(now.id);
  } catch (error) {
    if (!(error instanceof RequestError) || !error.maybeMissingRoute) throw error;
    const still = await ctx.controlPlane.getDeployment(now.id).catch(absent);
    if (!still || isLeaving(still)) return undefined;
    return {
      warning: `This service has no way to delete a deployment, so ${now.id} ("${now.name}") still runs there; it is only dropped from this stack's state. Remove it by hand.`,
    };
  }
  return undefined;
}

async function untilGone(id: string, ctx: Context, what: string): Promise<undefined> {
  await ctx.waitUntil({
    what,
    look: async () => {
      const now = await ctx.controlPlane.getDeployment(id).catch(absent);
      return now ? { pending: now.status } : { done: true };
    },
  });
}

function absent(error: unknown): undefined {
  if (error instanceof RequestError && error.isNotFound) return undefined;
  throw error;
}

/** A deployment of the wanted name exists: whose is it? */
function recognise(taken: Answer, wanted: Inputs, ctx: Context): Found {
  const marker = markerIn(taken);
  const here = `the name "${wanted.name}" is taken by deployment ${taken.id}`;
  const takeOver = `To take it over, add to the resource's options:  import: "${taken.id}"`;
  if (marker === undefined || isMasked(taken)) {
    if (!ctx.settings.ownerMarker && bornInThisRun(taken, ctx))
      return { id: taken.id, because: "it was created since this run began." };
    throw new OwnershipError(`${here}, which carries no mark of a Pulumi resource. Nothing was changed.\n${takeOver}`);
  }
  if (marker === ctx.marker) {
    if (sameImmutables(taken, wanted) && isFresh(taken, ctx))
      return { id: taken.id, because: "an interrupted run of this resource created it." };
    throw new OwnershipError(
      `${here}, which this very resource created earlier. Either another backend with the same project and stack owns it, or this stack's state was lost. Nothing was changed.\n${takeOver}`,
    );
  }
  if (sameStack(marker, ctx.marker)) {
    throw new OwnershipError(
      `${here}, which this stack created as ${marker}. Was the resource renamed or moved? Then keep it with the option  aliases: [{ … }]  (its old name or parent). Nothing was changed.`,
    );
  }
  throw new OwnershipError(`${here}, which belongs to ${marker}. Nothing was changed: choose another name.`);
}

const sameImmutables = (taken: Answer, wanted: Inputs) =>
  differences(externalDocker, toInputs(taken, wanted), wanted).every(
    (path) => !deployment.replaceOn.some((pattern) => path.startsWith(pattern)),
  );

/** The first revision is not through yet, or the deployment is young: then an interrupted run is the likely story. */
function isFresh(taken: Answer, ctx: Context): boolean {
  const age = ctx.serverNow() - Date.parse(taken.createdAt ?? "");
  return taken.activeRevisionId == null || age < ctx.settings.resumeWithinMs;
}

/** The Date header counts whole seconds, hence the margin. */
function bornInThisRun(taken: Answer, ctx: Context): boolean {
  return Date.parse(taken.createdAt ?? "") >= ctx.runStartedAt() - 2000;
}

/** Gone means: the workspace answered, and the object was not in it. A key of another workspace gets a 404 too. */
async function assertSameWorkspace(id: string, tenantId: string | undefined, ctx: Context): Promise<undefined> {
  if (!tenantId || ctx.settings.tenantId || ctx.settings.allowServerChange) return;
  const { deployments } = await ctx.controlPlane.listDeployments({ limit: 1 });
  const other = deployments[0]?.tenantId;
  if (other !== undefined && other !== tenantId) {
    throw new OwnershipError(
      `Deployment ${id} is in workspace ${tenantId}, but the key belongs to workspace ${other}. Nothing was changed.\n` +
        "Is this the right key? If the service really moved, set agentgraph:allowServerChange to true.",
    );
  }
}
