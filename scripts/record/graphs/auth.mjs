/** The bearer token is the user, who sees only their own. `nobody` may do nothing, and `admin` everything. */
import { Auth, HTTPException } from "@langchain/langgraph-sdk/auth";

const OWNER = "agentgraph_auth_user_id";

export const auth = new Auth()
  .authenticate((request) => {
    const [scheme, user] = (request.headers.get("authorization") ?? "").split(" ");
    if (scheme !== "Bearer" || !user) throw new HTTPException(401, { message: "Who are you?" });
    return user;
  })
  .on("*", ({ user, value }) => {
    if (user.identity === "nobody") return false;
    if (user.identity === "admin") return true;
    value.metadata ??= {};
    // The server keeps the object that it passes.
    value.metadata[OWNER] = user.identity;
    return { [OWNER]: user.identity };
  });
