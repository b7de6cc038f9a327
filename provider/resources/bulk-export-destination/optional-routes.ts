/** Routes for destinations that a server may lack (interface-notes section 3). */
import { optionalRoutes } from "../../definition/optional-route";

const DESTINATIONS = "/api/v1/bulk-exports/destinations";

export const OPTIONAL_ROUTES = optionalRoutes(
  "tracing",
  ["GET", DESTINATIONS, "list destinations", "a lost answer of a create is an error that says so"],
  ["PATCH", `${DESTINATIONS}/:id`, "rotate credentials", "new credentials need a new destination"],
  ["DELETE", `${DESTINATIONS}/:id`, "delete destinations", "a destroy drops them from state and leaves them there"],
);
