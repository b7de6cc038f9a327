import { useRoute } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { defineComponent, h, nextTick, onMounted, watch } from "vue";
import { HeroPicture } from "./hero-picture.mjs";
import { LanguageTabs } from "./language-tabs.mjs";
import "./style.css";

const Layout = defineComponent(() => {
  const route = useRoute();
  // The landing page of VitePress has no main landmark, to which screen readers jump.
  const markMain = () => document.querySelector(".VPHome")?.setAttribute("role", "main");
  onMounted(() =>
    watch(
      () => route.path,
      () => nextTick(markMain),
      { immediate: true },
    ),
  );
  return () => h(DefaultTheme.Layout, null, { "home-hero-after": () => h(HeroPicture) });
});

export default { extends: DefaultTheme, Layout, enhanceApp: ({ app }) => app.component("LanguageTabs", LanguageTabs) };
