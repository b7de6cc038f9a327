import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import type { PropertyMap } from "../../../../provider/schema/schema";
import type { Server } from "../server/server";
import { type ChaosKind, expectEqual, idsOf, markersOf, type Observed, stateIn } from "./kind";
import { pick, secretOf, sometimes } from "./values";

export interface DeploymentSpec {
  slot: "api" | "worker";
  /** Whether it has its second name; a change replaces the deployment. */
  renamed: boolean;
  source: "image" | "folder";
  /** Version of the image or of the folder's content. */
  version: number;
  /** Version of the value of its secret. */
  secret: number;
  /** Whether a value that is not secret is declared as one. */
  hidden?: true | undefined;
  cpu?: number | undefined;
  waitFor?: "healthy" | undefined;
  rollbackOnFailure?: true | undefined;
  /** Whether each rollout is checked. */
  isVerified?: true | undefined;
  /** Whether the agent of the image gives wrong answers. */
  isBad?: true | undefined;
  /** Version of its redeploy trigger. */
  trigger?: number | undefined;
}

/** Below the URL of an agent server: what the check asks. The proxy responds as the image of the live revision. */
export const ANSWER = "/answer";
export const GOOD_ANSWER = "The answer is right.";

const nameOf = ({ slot, renamed }: DeploymentSpec): string => (renamed ? `${slot}-two` : slot);
const BAD = "-bad";
const imageOf = ({ slot, version, isBad }: DeploymentSpec): string =>
  `registry.example.com/${slot}:${version}${isBad ? BAD : ""}`;

export const deployments: ChaosKind<DeploymentSpec> = {
  slots: { api: "Deployment", worker: "Deployment" },
  weight: 3,
  specs: fc.record({
    slot: pick("api", "worker"),
    renamed: fc.nat(9).map((number) => number === 9),
    source: pick("image", "image", "image", "folder"),
    version: fc.nat(3),
    secret: fc.nat(2),
    cpu: sometimes(pick(1, 2), 2),
    waitFor: sometimes(fc.constant("healthy" as const)),
    rollbackOnFailure: sometimes(fc.constant(true as const)),
    hidden: sometimes(fc.constant(true as const), 2),
    isVerified: sometimes(fc.constant(true as const)),
    isBad: sometimes(fc.constant(true as const), 3),
  }),

  declare(spec, { around: { folder } }) {
    const { slot, source, version, secret, cpu, waitFor, rollbackOnFailure, trigger } = spec;
    const mode = { MODE: `mode of ${slot}` };
    const common = {
      name: nameOf(spec),
      secrets: { TOKEN: secretOf(slot, secret), ...(spec.hidden && mode) },
      ...(!spec.hidden && { environment: mode }),
      ...(cpu !== undefined && source === "image" && { sourceConfig: { resourceSpec: { cpu, memoryMb: 1024 } } }),
      ...(waitFor && { waitFor }),
      ...(rollbackOnFailure && { rollbackOnFailure }),
      ...(spec.isVerified && { verify: [{ http: { path: ANSWER, expect: { contains: GOOD_ANSWER } } }] }),
      ...(trigger !== undefined && { redeployTriggers: { trigger: String(trigger) } }),
    };
    if (source === "image")
      return { inputs: { ...common, source: "external_docker", sourceRevisionConfig: { imageUri: imageOf(spec) } } };
    const sourcePath = join(folder, slot);
    mkdirSync(sourcePath, { recursive: true });
    writeFileSync(join(sourcePath, "agentgraph.json"), '{"graphs":{"agent":"./agent.py:graph"}}');
    writeFileSync(join(sourcePath, "version.txt"), `version ${version}`);
    const sourceRevisionConfig = { agentgraphConfigPath: "agentgraph.json" };
    return { inputs: { ...common, source: "internal_source", sourcePath, sourceRevisionConfig } };
  },

  async verify(world, specs) {
    const own = (await liveDeployments(world.server)).filter(({ id }) => !world.others.has(pathOf(id)));
    expectEqual("the names of deployments", own.map(({ name }) => name).sort(), specs.map(nameOf).sort());
    for (const spec of specs) await verifyDeployment(world, spec);
  },

  async findLeftovers(world) {
    const own = idsOf(world);
    const markers = markersOf(world, "Deployment");
    const found = await liveDeployments(world.server);
    return found
      .filter(({ id }) => !own.has(id) && !world.others.has(pathOf(id)))
      .map(({ id, secrets }) => ({
        id,
        kind: "Deployment",
        // Where secrets are masked, nobody sees whose it is.
        mustBeNamed: !world.masksSecrets && secrets.some(({ value }) => markers.includes(String(value))),
        remove: () => world.server.call("DELETE", pathOf(id)),
      }));
  },
};

const pathOf = (id: string) => `/v2/deployments/${id}`;

/** Lists the deployments that are not being deleted. */
export async function liveDeployments(server: Server): Promise<{ id: string; name: string; secrets: PropertyMap[] }[]> {
  const { body } = await server.call<{ resources: never[] }>("GET", "/v2/deployments?limit=100");
  return body.resources.filter(({ status }) => !String(status).includes("DELETE"));
}

interface RemoteDeployment {
  name: string;
  source: string;
  source_config: { resource_spec?: { cpu?: number } | null };
  source_revision_config: PropertyMap;
  secrets: { name: string; value: string }[];
  latest_revision_id: string;
  active_revision_id: string;
  revisions: { id: string; source_revision_config: PropertyMap }[];
}

async function verifyDeployment(world: Observed, spec: DeploymentSpec): Promise<void> {
  const { slot, cpu, isVerified } = spec;
  const { id, outputs } = stateIn(world, slot);
  const { body: remote } = await world.server.call<RemoteDeployment>("GET", `/_emulator/deployments/${id}`);
  expectEqual(`the name of ${slot}`, remote.name, nameOf(spec));
  expectEqual(`the live revision of ${slot}`, remote.active_revision_id, remote.latest_revision_id);
  expectEqual(`the revision of ${slot} in state`, outputs.activeRevisionId, remote.active_revision_id);
  if (isVerified)
    expectEqual(`the verified revision of ${slot}`, outputs.verifiedRevisionId, remote.active_revision_id);
  if (spec.source === "image")
    expectEqual(`the image of ${slot}`, remote.source_revision_config.image_uri, imageOf(spec));
  else expectEqual(`the source of ${slot}`, sourceOf(world, remote), `version ${spec.version}`);
  const secret = remote.secrets.find(({ name }) => name === "TOKEN")?.value;
  expectEqual(`the secret of ${slot}`, secret, secretOf(slot, spec.secret));
  const mode = remote.secrets.find(({ name }) => name === "MODE")?.value;
  expectEqual(`the mode of ${slot}`, mode, `mode of ${slot}`);
  if (cpu !== undefined && spec.source === "image")
    expectEqual(`the CPU of ${slot}`, remote.source_config.resource_spec?.cpu, cpu);
}

/** Returns the text of the file that contains the version of a folder, as it was uploaded. */
function sourceOf(
  { server }: Observed,
  { source_revision_config: { source_tarball_path: path } }: RemoteDeployment,
): string {
  const archive = gunzipSync(readFileSync(server.uploadOf(basename(String(path))))).toString("latin1");
  return /version \d/.exec(archive)?.[0] ?? "without its file";
}

/** Returns what the agent of a deployment responds to the question of the check; undefined if no revision is live. */
export async function answerOf(server: Server, id: string): Promise<string | undefined> {
  const { body, status } = await server.call<RemoteDeployment>("GET", `/_emulator/deployments/${id}`);
  const live = status === 200 && body.revisions.find((one) => one.id === body.active_revision_id);
  if (!live) return undefined;
  return String(live.source_revision_config.image_uri).endsWith(BAD) ? "The answer is wrong." : GOOD_ANSWER;
}
