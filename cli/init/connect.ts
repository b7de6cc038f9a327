/**
 * Finds out what the settings of a stack do not say: the workspace, the prefix, the platform and its words. Sends only
 * GET.
 */
import { Clients } from "../../provider/api/clients";
import { collectAvailable, PAGE_SIZE } from "../../provider/api/pagination";
import { realClock } from "../../provider/http/clock";
import { HttpError } from "../../provider/http/errors";
import { noRetry } from "../../provider/http/retry";
import { PLATFORMS, type Platform, type PlatformName, platformAt } from "../../provider/settings/platforms";
import type { Settings } from "../../provider/settings/settings";
import { UserError } from "../../provider/text/user-error";
import type { Vocabulary } from "../../provider/text/vocabulary";
import { checkConnectivity } from "../shared/connectivity";
import { UsageError } from "../shared/subcommand";
import { checkVocabulary } from "../shared/text/vocabulary";

export interface Found {
  /** With the workspace that was chosen. */
  settings: Settings;
  /** Where the control plane is if not at the URL of the settings. */
  path: string | undefined;
  /** The only workspace of the API key, if no setting names one. */
  onlyWorkspace: Workspace | undefined;
  platform: KnownPlatform | undefined;
  /** The words of the server. */
  spoken: Vocabulary;
  deployments: { count: number; isMore: boolean };
}

interface KnownPlatform {
  title: string;
  /** What it is known from. */
  how: string;
  /** The value of the setting, if it is to be set. */
  name?: PlatformName;
}

type Ask = (question: string) => Promise<string>;

interface Workspace {
  id: string;
  /** In one line; empty if it has none. */
  name: string;
}

/** @throws UserError when the server cannot be used. @param ask Undefined without a terminal. */
export async function connect(given: Settings, ask: Ask | undefined, now: () => number): Promise<Found> {
  const clientsOf = (settings: Settings) => new Clients(settings, { ...realClock, now }, noRetry);
  const workspaces = given.tenantId === undefined ? await listWorkspaces(clientsOf(given)) : [];
  const chosen = workspaces.length > 1 ? await choose(workspaces, ask) : undefined;
  const sources = { ...given.sources, ...(chosen && { tenantId: "the choice among those of the API key" }) };
  const settings = chosen ? { ...given, tenantId: chosen.id, sources } : given;
  const clients = clientsOf(settings);
  const deployments = await countDeployments(clients, settings);
  const { spoken } = await checkVocabulary(clients.http("controlPlane"), settings.vocabulary);
  return {
    ...{ settings, spoken, deployments },
    path: clients.pathOf("controlPlane"),
    onlyWorkspace: workspaces.length === 1 ? workspaces[0] : undefined,
    platform: findPlatform(settings, spoken),
  };
}

/** Returns nothing where the server does not list them: the control plane decides whether the API key is valid. */
async function listWorkspaces(clients: Clients): Promise<Workspace[]> {
  try {
    const workspaces = (await clients.workspaces.list()) ?? [];
    return workspaces.map(({ id, display_name: name }) => ({ id, name: name?.replace(/\s+/g, " ") ?? "" }));
  } catch (error) {
    if (error instanceof HttpError) return [];
    throw error;
  }
}

async function choose(workspaces: readonly Workspace[], ask: Ask | undefined): Promise<Workspace> {
  const lines = workspaces.map(({ id, name }, index) => `  ${index + 1}. ${id}  ${name}`.trimEnd());
  const listed = `The API key is valid for ${workspaces.length} workspaces:\n${lines.join("\n")}\n`;
  const answer = (await ask?.(`${listed}Number or ID of the one to use: `))?.trim();
  const chosen = workspaces.find(({ id }, index) => answer === id || answer === String(index + 1));
  if (chosen) return chosen;
  throw new UsageError(`${listed}Choose one with --workspace <ID>. Nothing was written.`);
}

async function countDeployments({ controlPlane }: Clients, { warnings }: Settings): Promise<Found["deployments"]> {
  let count = 0;
  const { status, message, remedy } = await checkConnectivity(async () => {
    count = (await collectAvailable(controlPlane.listDeployments(), () => true)).items.length;
  });
  if (status === "ok") return { count, isMore: count >= PAGE_SIZE };
  // What is said about a value of both servers may be the cause.
  const doubts = warnings.filter(({ server }) => server === undefined).map(({ text }) => text);
  const reason = `The control plane cannot be used, so nothing was written: ${message}`;
  throw new UserError([reason, ...(remedy ? [remedy] : []), ...doubts].join("\n"));
}

function findPlatform({ controlPlaneUrl, platform }: Settings, spoken: Vocabulary): KnownPlatform | undefined {
  const known = platformAt(controlPlaneUrl);
  if (known) return { title: known.title, how: "known from its host" };
  if (platform) return { title: PLATFORMS[platform].title, how: "from the setting platform" };
  const isSpoken = ({ vocabulary }: Platform) =>
    vocabulary.githost === spoken.githost && vocabulary.agentgraph === spoken.agentgraph;
  const name = (Object.keys(PLATFORMS) as PlatformName[]).find((one) => isSpoken(PLATFORMS[one]));
  return name && { name, title: PLATFORMS[name].title, how: "known from the words that it uses" };
}
