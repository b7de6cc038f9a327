import DefaultTheme from "vitepress/theme";
import { h } from "vue";
import { HeroPicture } from "./hero-picture.mjs";
import { LanguageTabs } from "./language-tabs.mjs";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-hero-after": () => h(HeroPicture) }),
  enhanceApp({ app }) {
    app.component("LanguageTabs", LanguageTabs);
  },
};
