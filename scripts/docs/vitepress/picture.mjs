/** A picture in the form for the width of the screen, and, where the file itself has none of both, for the colors. */

/** Phones get the narrow form. Pixels. */
const NARROW = 640;

const withSuffix = (src, suffix) => src.replace(/(?=\.\w+$)/, suffix);

/** Returns the forms of a picture; without `isDark` where one is for all pages. @param images Of docs/images. */
export function formsOf(src, images) {
  const exists = (suffix) => images.includes(withSuffix(src, suffix).replace(/^.*docs\/images\//, ""));
  const form = (suffix, isDark) => ({
    src: withSuffix(src, suffix),
    media: `(max-width: ${NARROW}px)`,
    narrow: exists(`-narrow${suffix}`) ? withSuffix(src, `-narrow${suffix}`) : undefined,
    isDark,
  });
  return exists("-dark") ? [form("", false), form("-dark", true)] : [form("", undefined)];
}

/** Returns the class by which the style sheet hides the other form. */
export const classOf = ({ isDark }) => ({ true: "on-dark", false: "on-light" })[isDark] ?? "";

/** @param img The HTML element of the picture. */
export function pictureHtml(src, img, images) {
  const forms = formsOf(src, images).map((form) => {
    const source = form.narrow ? `<source media="${form.media}" srcset="${form.narrow}">` : "";
    const image = img.replace(src, form.src).replace("<img", '<img loading="lazy"');
    return `<picture class="${classOf(form)}">${source}${image}</picture>`;
  });
  // What is wider than the screen scrolls.
  return `<span class="picture" tabindex="0">${forms.join("")}</span>`;
}
