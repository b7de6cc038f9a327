"""
The bearer token is the name of the user, who sees only what they created. The user `nobody` may do nothing, and `admin`
everything.
"""

from langgraph_sdk import Auth

OWNER = "agentgraph_auth_user_id"
auth = Auth()


@auth.authenticate
async def authenticate(authorization: str | None) -> str:
    scheme, _, user = (authorization or "").partition(" ")
    if scheme != "Bearer" or not user:
        raise Auth.exceptions.HTTPException(status_code=401, detail="Who are you?")
    return user


@auth.on
async def own(ctx: Auth.types.AuthContext, value: dict):
    if ctx.user.identity == "nobody":
        return False
    if ctx.user.identity == "admin":
        return True
    if value.get("metadata") is None:
        value["metadata"] = {}
    # The server keeps the object that it passes.
    value["metadata"][OWNER] = ctx.user.identity
    return {OWNER: ctx.user.identity}
