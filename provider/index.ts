/** Exports the lifecycle of each kind by its name. The stub in users' state loads this module by that name, so no kind is ever renamed. */
import { definitions } from "./definitions";
import { lifecycle } from "./engine/host/dynamic";
import { realEnvironment } from "./engine/host/environment";

const environment = realEnvironment();

export = Object.fromEntries(definitions.map((definition) => [definition.kind, lifecycle(definition, environment)]));
