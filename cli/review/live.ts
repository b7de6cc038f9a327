/** Asks the agent servers of the deployments in previews, with the settings of their stacks. */
import { UserError } from "../../provider/text/user-error";
import { findProjectFolder, readProjectField } from "../shared/pulumi/project";
import { readStackConfig } from "../shared/pulumi/stack-config";
import { readState, type StateResource } from "../shared/pulumi/state";
import type { CommandContext } from "../shared/subcommand";
import { type AskServer, hasProtected, withAtStake } from "./at-stake";
import type { Preview } from "./preview/preview-json";
import type { Review } from "./summary";

interface Reviewed {
  preview: Preview;
  review: Review;
}

interface LiveOptions {
  isLive: boolean;
  /** Undefined: the stack of each preview, if the project is in this folder. */
  stack: string | undefined;
  context: CommandContext;
}

export function addStakes(all: readonly Reviewed[], { isLive, stack, context }: LiveOptions): Promise<Review[]> {
  return Promise.all(
    all.map(({ preview, review }) => {
      const own = isOfFolder(preview, context.folder) ? preview.stack : undefined;
      return isLive ? askServers({ preview, review }, stack ?? own, context) : withAtStake(review, preview, undefined);
    }),
  );
}

function isOfFolder({ project }: Preview, folder: string): boolean {
  const found = findProjectFolder(folder);
  return found !== undefined && readProjectField(found, "name") === project;
}

async function askServers({ preview, review }: Reviewed, stack: string | undefined, context: CommandContext) {
  const { open, close } = opener(stack, context);
  const state = hasProtected(preview) ? await stateOf(stack, context) : [];
  const ask: AskServer = async (deploymentId) => {
    try {
      return await (await open()).ask(() => deploymentId);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return { unknown: error.message };
    }
  };
  const idOf = (urn: string) => state.find((one) => one.urn === urn && !one.delete)?.id;
  return withAtStake(review, preview, ask, idOf).finally(close);
}

/** Opens the clients with the first question: most previews have none. */
function opener(stack: string | undefined, context: CommandContext) {
  const load = async () => {
    const { readSettingsOf } = await import("../conversations/connect.js");
    const { Stakes } = await import("../conversations/stakes.js");
    return new Stakes(await readSettingsOf(stack, context), context.secrets);
  };
  let opened: ReturnType<typeof load> | undefined;
  const open = () => {
    opened ??= load();
    return opened;
  };
  const close = async () => {
    await opened?.then((stakes) => stakes.close()).catch(() => undefined);
  };
  return { open, close };
}

async function stateOf(stack: string | undefined, context: CommandContext): Promise<StateResource[]> {
  return (await readState(stack, await readStackConfig(stack, context), context)) ?? [];
}
