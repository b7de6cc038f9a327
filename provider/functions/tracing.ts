/** Tracing projects and workspaces (interface section 4 C, interface-notes section 3). */
import { z } from "zod";
import type { Clients } from "../api/clients";
import type { Project } from "../api/tracing/client";
import { fieldMetadata } from "../schema/schema";
import { findByName } from "./by-name";
import { defineFunction, optionalName } from "./definition";

const text = (what: string) => z.string().optional().describe(what);

const projectInfo = z
  .object({
    id: z.string().describe("Id, as `sessionId` of an export takes it."),
    name: text("Name of the project; that of a deployment has the deployment's name."),
    tenantId: text("Workspace that it belongs to."),
    startTime: text("When it was made."),
    referenceDatasetId: text("The data set that it is an experiment on; absent for any other project."),
  })
  .register(fieldMetadata, { interface: "ProjectInfo" });

const findProject = findByName<Clients, Project>({
  what: "tracing project",
  nameOf: ({ name }) => name,
  idOf: ({ id }) => id,
  search: (name, { tracing }) => tracing.listProjects(name),
  pages: ({ tracing }) => tracing.listProjects(),
});

export const getProject = defineFunction({
  name: "getProject",
  description: "One tracing project, by its exact name; each deployment has one of its own name.",
  example: { plain: '{ name: "support-agent" }' },
  args: z.strictObject({ name: z.string().min(1).describe("Exact name of the project.") }),
  result: projectInfo,
  read: ({ name }, clients) => findProject(clients, name),
});

const workspaceInfo = z
  .object({
    id: z.string().describe("Id of the workspace."),
    displayName: text("Its name, where the service tells it."),
  })
  .register(fieldMetadata, { interface: "WorkspaceInfo" });

export const getWorkspace = defineFunction({
  name: "getWorkspace",
  description: "One workspace, by its id.",
  example: { plain: "" },
  section: "4C",
  args: z.strictObject({
    id: optionalName("Its id; that of the setting `tenantId` when absent."),
  }),
  result: workspaceInfo,
  read: ({ id }, { tracing }, settings) => tracing.getWorkspace(id ?? settings.tenantId ?? ""),
});
