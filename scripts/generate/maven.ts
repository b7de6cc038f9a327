/** Writes what the generated Java SDK lacks: the Maven project, and the description of the plugin for the CLI. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackageSpec } from "../../dist/plugin/schema/spec.js";

/** Versions of the dependencies and plugins. */
const DEPENDENCIES = {
  "com.pulumi:pulumi": "1.20.0",
  // Annotations in the generated code.
  "com.google.code.findbugs:jsr305": "3.0.2",
};
const PLUGINS = { compiler: "3.14.1", install: "3.1.4", jar: "3.4.2", resources: "3.3.1", surefire: "3.5.4" };

export async function writeMavenFiles(folder: string, schemaFile: string) {
  const schema: PackageSpec = JSON.parse(await readFile(schemaFile, "utf8"));
  const { name, version, pluginDownloadURL: server } = schema;
  const plugin = { resource: true, name, version, ...(server && { server }) };
  const resources = join(folder, "src/main/resources/com/pulumi", name);
  await writeFile(join(resources, "plugin.json"), `${JSON.stringify(plugin, undefined, 2)}\n`);
  await writeFile(join(folder, "pom.xml"), pom(schema));
}

const pom = ({
  name,
  version,
  description,
  license,
  homepage,
  repository,
}: PackageSpec) => `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.pulumi</groupId>
  <artifactId>${name}</artifactId>
  <version>${version}</version>
  <description>${description}</description>${homepage ? `\n  <url>${homepage}</url>` : ""}
  <licenses>
    <license>
      <name>${license}</name>
    </license>
  </licenses>${repository ? `\n  <scm>\n    <url>${repository}</url>\n  </scm>` : ""}
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
${Object.entries(DEPENDENCIES).map(dependency).join("\n")}
  </dependencies>
  <build>
    <plugins>
${Object.entries(PLUGINS).map(plugin).join("\n")}
    </plugins>
  </build>
</project>
`;

function dependency([module, version]: [string, string]) {
  const [group, artifact] = module.split(":");
  return `    <dependency>
      <groupId>${group}</groupId>
      <artifactId>${artifact}</artifactId>
      <version>${version}</version>
    </dependency>`;
}

const plugin = ([name, version]: [string, string]) => `      <plugin>
        <artifactId>maven-${name}-plugin</artifactId>
        <version>${version}</version>
      </plugin>`;
