/** What a reviewer sees: the picture of the README, on the landing page. */
import { withBase } from "vitepress";
import { h } from "vue";

export const HeroPicture = () =>
  h("div", { class: "hero-picture" }, [
    h("span", { class: "picture", tabindex: 0 }, [
      h("picture", [
        h("source", { media: "(max-width: 640px)", srcset: withBase("/docs/images/review-narrow.svg") }),
        h("img", {
          src: withBase("/docs/images/review.svg"),
          alt:
            "The comment of agentgraph review on a pull request: billing-agent would be replaced and lose its " +
            "database, support-agent gets a new revision, and translate-agent is created",
        }),
      ]),
    ]),
  ]);
