/** Every resource definition, once. index.ts and the generator of sdk/kinds.ts read this list. */
import type { Definition } from "./definition";
import { bulkExportDestination } from "./resources/bulk-export-destination";
import { deployment } from "./resources/deployment";

export const definitions = [deployment, bulkExportDestination] as unknown as Definition[];
