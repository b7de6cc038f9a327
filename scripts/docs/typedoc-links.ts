/** Rewrites links of doc comments, which are relative to a user's project, for the generated reference. */
import { type Application, PageEvent } from "typedoc";

export function load(app: Application) {
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = page.contents?.replaceAll("](node_modules/pulumi-agentgraph/docs/", "](../../docs/");
  });
}
