/** One program in several languages. The chosen language applies to all pages and is remembered. */
import { computed, defineComponent, h, nextTick, onMounted, ref, useId } from "vue";

const KEY = "agentgraph-docs-language";
const chosen = ref("");

function remember(language) {
  chosen.value = language;
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // A browser may forbid it; the choice then lasts until the page is closed.
  }
}

function recall() {
  try {
    chosen.value ||= localStorage.getItem(KEY) ?? "";
  } catch {
    // As above.
  }
}

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

export const LanguageTabs = defineComponent({
  props: { languages: { type: Array, required: true } },
  setup({ languages }, { slots }) {
    const id = useId();
    const current = computed(() => (languages.includes(chosen.value) ? chosen.value : languages[0]));
    onMounted(recall);

    async function move(event) {
      const step = STEPS[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const list = event.currentTarget;
      const next = (languages.indexOf(current.value) + step + languages.length) % languages.length;
      remember(languages[next]);
      await nextTick();
      list.children[next].focus();
    }

    const tab = (language) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `${id}-${language}`,
          tabindex: language === current.value ? 0 : -1,
          "aria-selected": language === current.value,
          "aria-controls": `${id}-${language}-panel`,
          onClick: () => remember(language),
        },
        language,
      );
    const panel = (language) =>
      h(
        "div",
        {
          role: "tabpanel",
          id: `${id}-${language}-panel`,
          "aria-labelledby": `${id}-${language}`,
          hidden: language !== current.value,
        },
        slots[language.replace("#", "Sharp")]?.(),
      );
    return () =>
      h("div", { class: "program-tabs" }, [
        h("div", { role: "tablist", "aria-label": "Language", onKeydown: move }, languages.map(tab)),
        ...languages.map(panel),
      ]);
  },
});
