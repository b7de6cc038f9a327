import { useRoute } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { enhanceAppWithTabs } from "vitepress-plugin-tabs/client";
import { defineComponent, h, nextTick, onMounted, watch } from "vue";
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
  return () => h(DefaultTheme.Layout);
});

export default { extends: DefaultTheme, Layout, enhanceApp: ({ app }) => enhanceAppWithTabs(app) };
