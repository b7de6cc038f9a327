import { listNameOf } from "../../../plugin/schema/functions";
import { functions } from "../../../provider/functions/functions";

it("A function that returns a list returns it in a property named after the function", () => {
  const names = Object.fromEntries(functions.map((definition) => [definition.name, listNameOf(definition)]));
  expect(names).toMatchObject({ getDeployments: "deployments", getBulkExportRuns: "bulkExportRuns" });
  expect(names.getDeployment).toBeUndefined();
});
