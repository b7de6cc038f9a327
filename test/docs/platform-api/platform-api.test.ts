/**
 * docs/platform-api/ contains exactly the routes and the fields of the emulator, and says which the smallest server
 * has.
 */
import { describeRoutes } from "../../../emulator/src/http/openapi";
import { routesOf } from "../../../emulator/src/platform";
import { resolveSettings } from "../../../emulator/src/runtime/options";
import { Vocabulary } from "../../../emulator/src/runtime/validation/vocabulary";
import { readFacts } from "../../../scripts/docs/platform-api";
import { ROOT } from "../support/markdown";

/** Agent servers have their own base URLs, and the emulator has one URL for all. */
const AGENT_SERVER = "/agents/{deployment_id}";
/** Its address is part of the response of `upload-url`, so each server chooses it. */
const UPLOAD = "upload";

const routes = [...routesOf(resolveSettings({}, [])), ...routesOf(resolveSettings({ platform: "today" }, []))].filter(
  ({ name }) => name !== UPLOAD,
);
const facts = readFacts(ROOT).filter(({ id }) =>
  /^4[A-C]\.(GET|POST|PUT|PATCH|DELETE) [^:.]+(\.(w|json)[^:]*)?$/.test(id),
);

const toFact = ({ method, path }: { method: string; path: string }) => `${method} ${path.replace(AGENT_SERVER, "")}`;
const toRoute = ({ id }: { id: string }) => id.slice("4A.".length);

it("the pages contain every route of the emulator, and no other", () => {
  expect(facts.map(toRoute).sort()).toEqual([...new Set(routes.map(toFact))].sort());
});

it("--interface-only serves exactly the described routes", () => {
  const described = facts.filter(({ certainty }) => certainty === "described").map(toRoute);
  const served = routesOf(resolveSettings({ interfaceOnly: true }, [])).filter(({ name }) => name !== UPLOAD);
  expect(served.map(toFact).sort()).toEqual(described.sort());
});

/** Objects whose names on the pages differ from those in /openapi.json. */
const NAMES: Record<string, string> = { ThreadState: "Thread state", ExportCreate: "Export job" };

const smallest = resolveSettings({ interfaceOnly: true }, []);
const document = describeRoutes(routesOf(smallest), { vocabulary: new Vocabulary(smallest.vocabulary) });
const { schemas } = document.components as { schemas: Record<string, { properties: object; required?: string[] }> };

/** Returns the described fields of an object, by the pages. */
const fieldsOf = (object: string, isIncluded: (type: string) => boolean = () => true): string[] =>
  readFacts(ROOT).flatMap(({ id, certainty, type = "" }) => {
    const [, field] = new RegExp(`^2[A-C]\\.${object}\\.(\\w+)$`).exec(id) ?? [];
    return field !== undefined && certainty === "described" && isIncluded(type) ? [field] : [];
  });

it.each(
  Object.keys(schemas).flatMap((title) => {
    const name = NAMES[title] ?? title;
    return fieldsOf(name).length > 0 ? [[name, title]] : [];
  }),
)("the described fields of %s are those that --interface-only has, with the same ones required", (name, title = "") => {
  const { properties, required = [] } = schemas[title] ?? { properties: {} };
  expect(fieldsOf(name).sort()).toEqual(Object.keys(properties).sort());
  expect(fieldsOf(name, (type) => /\brequired$/.test(type)).sort()).toEqual(required.sort());
});
