/** Routes for exports that a server may lack (interface-notes section 3). */
import { optionalRoutes } from "../../../definition/optional-route";

const EXPORTS = "/api/v1/bulk-exports";

export const OPTIONAL_ROUTES = optionalRoutes(
  "tracing",
  ["GET", EXPORTS, "list exports", "a lost answer of a create is an error that says so"],
  [
    "PATCH",
    `${EXPORTS}/:id`,
    "cancel exports",
    "schedules can be neither replaced nor destroyed (forget: true drops them)",
  ],
  ["GET", `${EXPORTS}/:id/runs`, "tell the runs of an export", "errors name no day, and no totals are told"],
  ["GET", `${EXPORTS}/runs?source_bulk_export_id=:id`, "tell the runs of a schedule", "look-ups of them fail"],
);
