/** How the SDK of each language is generated. */

/**
 * @param packageName Name of the TypeScript package.
 * @param goImportPath Import path of the Go package. Pulumi derives it from the repository if it is undefined.
 */
export function languagesOf(packageName: string, goImportPath?: string): Record<string, unknown> {
  return {
    nodejs: { packageName, respectSchemaVersion: true },
    python: {
      packageName: packageName.replaceAll("-", "_"),
      pyproject: { enabled: true },
      inputTypes: "classes-and-dicts",
      respectSchemaVersion: true,
    },
    go: {
      ...(goImportPath && { importBasePath: goImportPath }),
      generateResourceContainerTypes: true,
      respectSchemaVersion: true,
    },
    csharp: { namespaces: { agentgraph: "AgentGraph" }, respectSchemaVersion: true },
    java: { buildFiles: "gradle" },
  };
}
