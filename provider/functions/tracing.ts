/** The functions for tracing projects and workspaces (API `4C`). */
import { z } from "zod";
import type { Clients } from "../api/clients";
import { type Project, projectSchema, workspaceSchema } from "../api/tracing/schemas";
import { optionalName } from "../schema/optional";
import { defineFunction } from "./definition";
import { batchedByName } from "./shared/by-name";

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
  result: projectSchema,
  read: ({ name }, clients) => findProject(clients, name),
});

export const getWorkspace = defineFunction({
  name: "getWorkspace",
  description: "Returns one workspace, by its ID.",
  example: { plain: "" },
  section: "4C",
  args: z.strictObject({
    id: optionalName("ID of the workspace. Defaults to the setting `tenantId`."),
  }),
  result: workspaceSchema,
  read: ({ id }, { tracing }, settings) => tracing.getWorkspace(id ?? settings.tenantId ?? ""),
});
