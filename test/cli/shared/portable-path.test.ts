/** Paths that commands write to files. */
import { posix, win32 } from "node:path";
import { portablePath } from "../../../cli/shared/portable-path";

test.each([
  ["/work/agents", "/work/node_modules/a/build", posix, "../node_modules/a/build"],
  ["/work/agents", "/work/agents/with\\backslash", posix, "with\\backslash"],
  ["C:\\work\\agents", "C:\\work\\node_modules\\a\\build", win32, "../node_modules/a/build"],
  ["c:\\work\\agents", "C:\\work\\agents\\a", win32, "a"],
  ["C:\\work", "D:\\packages\\a.tgz", win32, "D:/packages/a.tgz"],
  ["C:\\work", "\\\\server\\share\\a.tgz", win32, "//server/share/a.tgz"],
])("the path from %s to %s has slashes", (from, to, system, expected) => {
  expect(portablePath(from, to, system)).toBe(expected);
});
