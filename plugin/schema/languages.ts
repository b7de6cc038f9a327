/**
 * How the SDK of each language is generated, and the names of its packages, which never change. docs/plugin.md lists
 * them.
 */

/**
 * The Go module has no setting: Pulumi derives it from the repository, as `pulumi package add` prints it: `sdk/go` in
 * it, or in `example.com/pulumi-agentgraph` while the schema names none.
 * @param packageName Name of the npm package of dynamic resources.
 */
export function languagesOf(packageName: string): Record<string, unknown> {
  return {
    // Not that of the dynamic resources: a program would move its stack to them when only its import changes.
    nodejs: { packageName: `${packageName}-native`, respectSchemaVersion: true },
    python: {
      packageName: packageName.replaceAll("-", "_"),
      pyproject: { enabled: true },
      inputTypes: "classes-and-dicts",
      // The oldest version that a dependency of generated SDKs, parver, supports.
      pythonRequires: ">=3.10",
      respectSchemaVersion: true,
    },
    go: { generateResourceContainerTypes: true, respectSchemaVersion: true },
    csharp: { namespaces: { agentgraph: "AgentGraph" }, respectSchemaVersion: true },
    // The Gradle project of the generator downloads from fixed hosts: a Maven project is written in its place.
    java: { buildFiles: "none" },
  };
}
