/** Converts a remote cron to inputs as a user would write them, without defaults and without metadata that servers add. */
import type { Cron } from "../../api/agent-server/crons";
import type { AdoptFacts, Remote } from "../../definition/adopt";
import type { PropertyMap } from "../../schema/schema";
import { type Location, resolveEndpoint } from "../shared/agent-server/endpoint";
import { CRON_KEYS } from "../shared/agent-server/metadata";
import { toAllInputs } from "./mapping";

export const adopt: AdoptFacts = {
  noun: "cron",
  listedBy: "getCrons",
  isNamed: false,
  title,
  skip: ({ metadata }, { includeOwned }) =>
    !includeOwned && (metadata as PropertyMap | undefined)?.[CRON_KEYS.object] !== undefined
      ? "it has the ownership marker of a Pulumi resource (--include-owned)"
      : undefined,
  async fetch(id, container: Location, ctx) {
    const endpoint = await resolveEndpoint("crons", container, ctx);
    const cron = await endpoint?.server.crons.find(id);
    return cron && { ...cron.payload, ...cron, id };
  },
  toInputs,
};

function title({ id, metadata }: Remote): string {
  const { title, name } = (metadata ?? {}) as PropertyMap;
  const label = [title, name].find((text) => typeof text === "string" && text.length > 0 && text.length <= 40);
  // The first digits of the ID are a time, which crons of one moment share.
  return String(label ?? `cron-${id.slice(-8)}`);
}

function toInputs(remote: Remote, { deploymentId, deploymentUrl }: PropertyMap): PropertyMap {
  // What the function lists has the fields of the payload beside its own.
  const { timezone, enabled, onRunCompleted, context, config, ...others } = toAllInputs({
    ...remote,
    payload: remote,
  } as unknown as Cron);
  return {
    ...(deploymentUrl === undefined ? { deploymentId } : { deploymentUrl }),
    ...others,
    ...(timezone !== "UTC" && { timezone }),
    ...(enabled === false && { enabled }),
    ...(onRunCompleted === "keep" && { onRunCompleted }),
    ...(Object.keys(context ?? {}).length > 0 && { context }),
    ...(Object.keys(config ?? {}).length > 0 && { config }),
  };
}
