import { outputsOfCreate, outputsOfUpdate } from "../../plugin/planned-outputs";
import { definitions } from "../../provider/definitions";
import { stableOutputs } from "../../provider/plan/planned-outputs";
import { UNKNOWN } from "../../provider/plan/property-values";
import { variantsOf } from "../../provider/schema/schema";
import { definitionOf } from "../provider/plan/plans";
import { dockerDeployment } from "../support/deployments/inputs";

const deployment = definitionOf("Deployment");
const declared = dockerDeployment();
const state = { ...declared, tenantId: "t", url: "https://agent.example", createdAt: "2026-01-01T00:00:00Z" };

test.each([null, "", UNKNOWN])("An output that is %j in state is unknown after an update", (url) => {
  const outputs = outputsOfUpdate(deployment, { ...state, url }, declared, { paths: [], mayReplace: false });
  expect(outputs).toMatchObject({ url: UNKNOWN, tenantId: "t" });
});

test("An output is unknown when an input changes that decides it, and where a replacement is possible", () => {
  const outputsOf = (path: string, mayReplace: boolean) =>
    outputsOfUpdate(deployment, state, declared, { paths: [path], mayReplace });
  expect(outputsOf("sourceConfig.customUrl", false)).toMatchObject({ url: UNKNOWN, tenantId: "t" });
  expect(outputsOf("name", true)).toMatchObject({ url: UNKNOWN, createdAt: UNKNOWN });
});

test.each(definitions)("A stable output of $kind is not an input that an update may change", (definition) => {
  const idProperty = definition.schema.idProperty ?? "";
  const shapes = variantsOf(definition.schema.inputs).map(({ shape }) => shape);
  const inputs = shapes.flatMap((shape) => Object.keys(shape)).filter((key) => key !== idProperty);
  const stable = stableOutputs(definition, []);
  expect(stable).toContain("createdAt");
  expect(stable.filter((key) => inputs.includes(key))).toEqual([]);
});

test.each(["Assistant", "Cron", "Thread"])(
  "A preview of %s knows its ID in an update, or where it is declared",
  (kind) => {
    const definition = definitionOf(kind);
    const key = `${kind.toLowerCase()}Id`;
    expect(outputsOfCreate(definition, { graphId: "echo" })).toMatchObject({ [key]: UNKNOWN });
    expect(outputsOfCreate(definition, { [key]: "declared" })).toMatchObject({ [key]: "declared" });
    expect(outputsOfCreate(definition, { [key]: null })).toMatchObject({ [key]: UNKNOWN });
    const change = { paths: ["sensitive"], mayReplace: false };
    expect(outputsOfUpdate(definition, { [key]: "derived" }, {}, change)).toMatchObject({ [key]: "derived" });
    expect(outputsOfUpdate(definition, {}, {}, change)).toMatchObject({ [key]: UNKNOWN });
  },
);
