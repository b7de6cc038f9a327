/** How the SDK of each language is generated. */

/**
 * @param packageName Name of the TypeScript package.
 * @param goImportPath Import path of the Go package. The default works only with a `replace` directive in go.mod.
 */
export function languagesOf(
  packageName: string,
  goImportPath = `${packageName}/sdks/go/agentgraph`,
): Record<string, unknown> {
  return {
    nodejs: { packageName, respectSchemaVersion: true },
    python: {
      packageName: packageName.replaceAll("-", "_"),
      pyproject: { enabled: true },
      inputTypes: "classes-and-dicts",
      // The oldest version that a dependency of generated SDKs, parver, supports.
      pythonRequires: ">=3.10",
      respectSchemaVersion: true,
    },
    go: {
      importBasePath: goImportPath,
      generateResourceContainerTypes: true,
      respectSchemaVersion: true,
    },
    csharp: { namespaces: { agentgraph: "AgentGraph" }, respectSchemaVersion: true },
    // The Gradle project of the generator downloads from fixed hosts: a Maven project is written in its place.
    java: { buildFiles: "none" },
  };
}
