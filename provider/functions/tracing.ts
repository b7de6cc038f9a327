/** The functions for tracing projects and workspaces (API `4C`). */
import { z } from "zod";
import type { Clients } from "../api/clients";
import type { Project } from "../api/tracing/client";
import { fieldMetadata } from "../schema/schema";
import { batchedByName } from "./by-name";
import { defineFunction, optionalName } from "./definition";

const text = (what: string) => z.string().optional().describe(what);

const projectInfo = z
  .object({
    id: z.string().describe("ID of the project, for `sessionId` of an export."),
    name: text("Name of the project. The project of a deployment has the name of the deployment."),
    tenantId: text("ID of the workspace."),
    startTime: text("Time of creation."),
    referenceDatasetId: text("ID of the data set of an experiment; absent for other projects."),
  })
  .register(fieldMetadata, { interface: "ProjectInfo" });

const findProject = batchedByName<Clients, Project>({
  noun: "tracing project",
  nameOf: ({ name }) => name,
  idOf: ({ id }) => id,
  search: (name, { tracing }) => tracing.listProjects(name),
  pages: ({ tracing }) => tracing.listProjects(),
});

export const getProject = defineFunction({
  name: "getProject",
  description: "Returns one tracing project, by its exact name. Each deployment has a project with its own name.",
  example: { plain: '{ name: "support-agent" }' },
  args: z.strictObject({ name: z.string().min(1).describe("Exact name of the project.") }),
  result: projectInfo,
  read: ({ name }, clients) => findProject(clients, name),
});

const workspaceInfo = z
  .object({
    id: z.string().describe("ID of the workspace."),
    displayName: text("Name of the workspace; absent where the server does not return it."),
  })
  .register(fieldMetadata, { interface: "WorkspaceInfo" });

export const getWorkspace = defineFunction({
  name: "getWorkspace",
  description: "Returns one workspace, by its ID.",
  example: { plain: "" },
  section: "4C",
  args: z.strictObject({
    id: optionalName("ID of the workspace. Defaults to the setting `tenantId`."),
  }),
  result: workspaceInfo,
  read: ({ id }, { tracing }, settings) => tracing.getWorkspace(id ?? settings.tenantId ?? ""),
});
