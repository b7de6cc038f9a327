/** Routes for exports that a server may lack (API `10.missing-routes`). */
import { optionalRoutes } from "../../../definition/optional-route";

const EXPORTS = "/api/v1/bulk-exports";

export const OPTIONAL_ROUTES = optionalRoutes(
  "tracing",
  ["GET", EXPORTS, "list exports", "the outcome of a create whose response was lost stays unknown"],
  [
    "PATCH",
    `${EXPORTS}/:id`,
    "cancel exports",
    "schedules can be neither replaced nor destroyed (forget: true removes them from state)",
  ],
  ["GET", `${EXPORTS}/:id/runs`, "list the runs of an export", "errors contain no days, and there are no totals"],
  ["GET", `${EXPORTS}/runs?source_bulk_export_id=:id`, "list the runs of a schedule", "functions that read them fail"],
);
