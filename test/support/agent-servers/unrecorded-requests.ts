/** What the provider sends to agent servers, or interprets, although no published one shows it; with the reason. */

/** Routes, and parameters of them, that no published server has accepted. */
export const UNRECORDED: Readonly<Record<string, string>> = {
  "POST /threads/*/runs/crons end_time: null":
    "Creates share the type of their body with updates, in which null removes the end; no resource sends it " +
    "in a create",
};

/** Statuses of errors that no published server has returned: each is assumed, in docs/platform-api/README.md. */
export const UNRECORDED_STATUSES: Readonly<Record<number, string>> = {
  408: "Only proxies in front of a server give up waiting for a request",
  429: "The published servers have no limit of requests; proxies and hosts have",
  501: "The published servers respond to a route that they lack with 404, 405, or 500 and a text",
  502: "Only proxies in front of a server return it",
  503: "Only proxies in front of a server return it",
  504: "Only proxies in front of a server return it",
};
