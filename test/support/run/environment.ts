/** What `setup.ts` and the developer's shell put into the environment of every process that a test starts. */
const NAMES = [
  "PATH",
  "TMPDIR",
  // Where Node finds the certificate of a proxy that decrypts HTTPS.
  "NODE_EXTRA_CA_CERTS",
  "NODE_USE_SYSTEM_CA",
  // Lets the teardown of the test run find processes that are still running.
  "TEST_RUN_ID",
  // Make commands start faster.
  ...["NODE_COMPILE_CACHE", "NODE_OPTIONS", "GOGC", "GOMEMLIMIT"],
];

/** Returns the environment of a command that must not have the settings and the login of a developer. */
export function runEnvironment(): Record<string, string> {
  return Object.fromEntries(
    NAMES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
