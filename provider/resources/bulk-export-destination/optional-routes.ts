/** Routes for destinations that a server may lack (API `10.missing-routes`). */
import { optionalRoutes } from "../../definition/optional-route";

const DESTINATIONS = "/api/v1/bulk-exports/destinations";

export const OPTIONAL_ROUTES = optionalRoutes(
  "tracing",
  ["GET", DESTINATIONS, "list destinations", "the outcome of a create whose response was lost stays unknown"],
  ["PATCH", `${DESTINATIONS}/:id`, "rotate credentials", "new credentials require a new destination"],
  ["DELETE", `${DESTINATIONS}/:id`, "delete destinations", "a destroy removes them from state only"],
);
