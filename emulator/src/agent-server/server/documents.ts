import { describeRoutes } from "../../http/openapi";
import type { ApiResponse, Route } from "../../http/route";
import type { Context } from "../../runtime/context";
import { any } from "../../runtime/validation/schema";
import { agentRoute, BASE } from "../requests/agent-route";

const TITLE = "Agent Server API Reference";

/** Responds with a text that is not JSON. */
export function textDocument(type: string, text: string): ApiResponse {
  return { status: 200, headers: { "content-type": type }, stream: async (send) => send(text) };
}

/** `/openapi.json` and `/docs`: what an agent server offers, at paths without its address. */
export function documentRoutes(routes: readonly Route[]): readonly Route[] {
  const relative = routes.map((route) => ({ ...route, path: route.path.replace(BASE, "") }));
  const enabled = ({ settings }: Context) => relative.filter(({ name }) => !settings.without.includes(name));
  const description = (context: Context) => {
    const document = describeRoutes(enabled(context), context);
    return { ...document, info: { title: TITLE, version: "0.1.0" } };
  };
  const shared = { method: "GET", isDescribed: false, isPublic: true } as const;
  return [
    agentRoute({
      ...shared,
      path: "/openapi.json",
      name: "agent-openapi",
      summary: "Retrieve the description of an agent server",
      success: { status: 200, schema: any(), description: "An OpenAPI document" },
      handle: (context) => ({ status: 200, body: description(context) }),
    }),
    agentRoute({
      ...shared,
      path: "/docs",
      name: "agent-docs",
      summary: "Show the operations of an agent server to a person",
      success: { status: 200, description: "An HTML page" },
      handle: (context) => textDocument("text/html; charset=utf-8", page(enabled(context))),
    }),
  ];
}

function page(routes: readonly Route[]): string {
  const rows = routes.map(
    ({ method, path, summary }) => `<tr><td>${method}</td><td><code>${path}</code></td><td>${summary}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${TITLE}</title></head>
<body><h1>${TITLE}</h1><p><a href="openapi.json">OpenAPI</a></p><table>
${rows.join("\n")}
</table></body>
</html>
`;
}
