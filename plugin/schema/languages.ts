/** How the SDK of each language is generated. */

/**
 * @param packageName Name of the TypeScript package.
 * @param repository URL of the repository; the path of the Go module begins with it.
 */
export function languagesOf(packageName: string, repository: string | undefined): Record<string, unknown> {
  const goModule = repository && `${repository.replace(/^https?:\/\//, "")}/sdks/go/agentgraph`;
  return {
    nodejs: { packageName, respectSchemaVersion: true },
    python: {
      packageName: packageName.replaceAll("-", "_"),
      pyproject: { enabled: true },
      inputTypes: "classes-and-dicts",
      respectSchemaVersion: true,
    },
    go: {
      ...(goModule && { importBasePath: goModule, modulePath: goModule }),
      generateResourceContainerTypes: true,
      respectSchemaVersion: true,
    },
    csharp: { namespaces: { agentgraph: "AgentGraph" }, respectSchemaVersion: true },
    java: { buildFiles: "gradle" },
  };
}
