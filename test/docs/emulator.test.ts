/** emulator/README.md lists exactly the routes that the emulator has. */
import { routeNames } from "../../emulator/src/index";
import { textOf } from "./support/markdown";

test("the README lists every route name that --without accepts", () => {
  const [list = ""] = /Route names for `--without`:[\s\S]*?\n\n(?=[^|])/.exec(textOf("emulator/README.md")) ?? [];
  const listed = [...list.matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name).filter((name) => name !== "--without");
  expect(listed.sort()).toEqual(routeNames().sort());
});
