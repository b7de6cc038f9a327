/** Imported first: other modules need a newer Node to load at all, so an old one must be reported before them. */
const OLDEST = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `error: agentgraph-emulator requires Node ${OLDEST.join(".")} or newer, but runs on ` +
      `${process.versions.node}. Install a newer Node.\n`,
  );
  process.exit(1);
}

export {};
