/** Facts of docs/platform-api/README.md, which all servers share, checked on the control plane. */
import { ok } from "../target/http.ts";
import { type Check, controlPlaneOf, DEPLOYMENTS, liveOf, namesIn, UNKNOWN_ID, verdict } from "./check.ts";

export const shared: readonly Check[] = [
  {
    id: "5.item 1",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).anonymous().get(DEPLOYMENTS);
      return verdict(reply.status === 401 || reply.status === 403, reply);
    },
  },
  {
    id: "10.absence",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).get(`${DEPLOYMENTS}/${UNKNOWN_ID}`);
      return verdict(reply.status === 404, reply);
    },
  },
  {
    id: "10.missing-routes",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).get("/v2/a-route-that-no-server-has");
      return verdict([404, 405, 501].includes(reply.status), reply);
    },
  },
  {
    id: "10.tenant-header",
    check: async (subject) => {
      const other = controlPlaneOf(subject).with({ "x-tenant-id": UNKNOWN_ID });
      const reply = await other.get(`${DEPLOYMENTS}?deployment_ids=${liveOf(subject).id}`);
      return verdict(!ok(reply) || namesIn(reply.body).length === 0, "another workspace shows the deployment");
    },
  },
  {
    id: "10.terms",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).get("/v1/integrations/githost/install");
      return verdict(ok(reply) || reply.status === 403, reply);
    },
  },
  {
    id: "10.date",
    check: async (subject) => {
      const { date } = await controlPlaneOf(subject).get(DEPLOYMENTS);
      const difference = Math.abs(Date.parse(date ?? "") - Date.now());
      return verdict(difference < 300_000, date === null ? "no header Date" : `Date: ${date}`);
    },
  },
  {
    id: "10.redirects",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).get(DEPLOYMENTS);
      return verdict(reply.status < 300 || reply.status >= 400, reply);
    },
  },
];
