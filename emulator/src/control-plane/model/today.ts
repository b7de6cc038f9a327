/**
 * What the platform of today requires beyond the interface, as its published clients report (docs/platform-api/). It
 * rejects with a text and status 400.
 */
import { ApiError } from "../../runtime/errors";
import type { CreateBody, Source, SourceConfig } from "./schemas";

const isImage = (source: Source) => source === "external_docker" || source === "internal_docker";

/** @throws ApiError if the platform of today rejects the body of a create. */
export function checkTodaysCreate({ name, agent, display_name, source, source_config: config }: CreateBody): void {
  const rules: readonly (readonly [isWrong: boolean, detail: string])[] = [
    [(name == null) === (agent == null), "Exactly one of name and agent must be set"],
    [display_name != null, "display_name can only be set by an update"],
    [source === "external_docker" && config.deployment_type != null, "deployment_type is not for external images"],
    [
      source !== "external_docker" && config.deployment_type == null,
      `source_config.deployment_type must be supplied for source '${source}'`,
    ],
    [source === "githost" && config.build_on_push == null, "source_config.build_on_push must be supplied"],
    [source === "external_docker" && config.resource_spec == null, "source_config.resource_spec must be supplied"],
    [source === "internal_template" && config.template_id == null, "source_config.template_id must be supplied"],
  ];
  throwFirst(rules);
  checkTodaysBody(source, { source_config: config });
}

/** @throws ApiError if the platform of today rejects the body of any request of this source. */
export function checkTodaysBody(
  source: Source,
  { source_config: config }: { source_config?: SourceConfig | null },
): void {
  throwFirst([
    [
      isImage(source) && (config?.install_command ?? config?.build_command) != null,
      "Docker sources do not support install_command and build_command",
    ],
    [
      source !== "internal_template" && config?.template_id != null,
      "template_id can only be set for source 'internal_template'",
    ],
  ]);
}

function throwFirst(rules: readonly (readonly [isWrong: boolean, detail: string])[]): void {
  const broken = rules.find(([isWrong]) => isWrong);
  if (broken) throw new ApiError(400, broken[1]);
}
