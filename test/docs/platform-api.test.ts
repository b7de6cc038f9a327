/** docs/platform-api/ contains exactly the routes of the emulator, and says which of them the smallest server has. */
import { routesOf } from "../../emulator/src/platform";
import { resolveSettings } from "../../emulator/src/runtime/options";
import { ROOT } from "./support/markdown";
import { readFacts } from "./support/platform-api";

/** Agent servers have their own base URLs, and the emulator has one URL for all. */
const AGENT_SERVER = "/agents/{deployment_id}";
/** Its address is part of the response of `upload-url`, so each server chooses it. */
const UPLOAD = "upload";

const routes = routesOf(resolveSettings({}, [])).filter(({ name }) => name !== UPLOAD);
const facts = readFacts(ROOT).filter(({ id }) => /^4[A-C]\.(GET|POST|PATCH|DELETE) [^:.]+$/.test(id));

const toFact = ({ method, path }: { method: string; path: string }) => `${method} ${path.replace(AGENT_SERVER, "")}`;
const toRoute = ({ id }: { id: string }) => id.slice("4A.".length);

it("the pages contain every route of the emulator, and no other", () => {
  expect(facts.map(toRoute).sort()).toEqual(routes.map(toFact).sort());
});

it("--interface-only serves exactly the described routes", () => {
  const described = facts.filter(({ certainty }) => certainty === "described").map(toRoute);
  const served = routesOf(resolveSettings({ interfaceOnly: true }, [])).filter(({ name }) => name !== UPLOAD);
  expect(served.map(toFact).sort()).toEqual(described.sort());
});
