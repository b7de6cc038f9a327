/** The profile of a server as far as state knows it: diff sends no request. */
import { CONTRACT, factsOf, type ServerProfile } from "../api/profile/features";
import type { Definition } from "./definition";

export type { ServerProfile } from "../api/profile/features";

/** @param lacks What state records in `__routes`. The setting that names a platform would replace the default here. */
export const profileOf = (lacks: readonly string[] = []): ServerProfile => ({
  ...CONTRACT,
  ...Object.fromEntries(lacks.map((feature) => [feature, false])),
});

/** Whether a server can change objects of the kind in place, as far as that is known. */
export const canUpdate = ({ updatedBy }: Pick<Definition, "updatedBy">, profile: ServerProfile): boolean =>
  updatedBy === undefined || profile[updatedBy] !== false;

/** What a server that cannot update objects of the kind cannot do, such as "change threads". */
export const purposeOf = ({ updatedBy }: Pick<Definition, "updatedBy">): string =>
  updatedBy === undefined ? "" : factsOf(updatedBy).purpose;
