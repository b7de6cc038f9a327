/** Finds Maven and a Java compiler, which tests of the Java SDK need. They are not installed. */
import { which } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { attempt } from "../setup/run.mjs";
import { atLeast } from "../setup/versions.mjs";

/** Oldest version for which the Java SDK is compiled. */
const MIN_VERSION = 11;

/** Returns the path of the `mvn` program. */
export async function ensureMaven(env: NodeJS.ProcessEnv) {
  const [maven, compiler] = [which("mvn", env), which("javac", env)];
  const { output } = compiler ? await attempt(compiler, ["--version"], { env }) : { output: "" };
  if (maven && atLeast(output, `${MIN_VERSION}.0`)) return maven;
  throw new Problem(
    `Tests of the Java SDK require Maven and a Java Development Kit ${MIN_VERSION} or newer on PATH. Install ` +
      "both (https://maven.apache.org/install.html) and run the same command again.",
  );
}
