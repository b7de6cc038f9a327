/** Paths that commands write to files. */
import { posix, win32 } from "node:path";
import { portablePath } from "../../../cli/shared/portable-path";

test.each([
  ["/srv/agents", "/srv/node_modules/a/build", posix, "../node_modules/a/build"],
  ["/srv/agents", "/srv/agents/with\\backslash", posix, "with\\backslash"],
  ["C:\\srv\\agents", "C:\\srv\\node_modules\\a\\build", win32, "../node_modules/a/build"],
  ["c:\\srv\\agents", "C:\\srv\\agents\\a", win32, "a"],
  ["C:\\srv", "D:\\packages\\a.tgz", win32, "D:/packages/a.tgz"],
  ["C:\\srv", "\\\\server\\share\\a.tgz", win32, "//server/share/a.tgz"],
])("the path from %s to %s has slashes", (from, to, system, expected) => {
  expect(portablePath(from, to, system)).toBe(expected);
});
