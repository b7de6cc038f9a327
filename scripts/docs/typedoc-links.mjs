/** Comments link to pages from a user's project; in the reference, which `npm run docs` writes, those pages are two folders up. */
import { PageEvent } from "typedoc";

export function load(app) {
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = page.contents?.replaceAll("](node_modules/pulumi-agentgraph/docs/", "](../../");
  });
}
