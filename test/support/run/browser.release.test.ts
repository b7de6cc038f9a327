import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { html, TestServer } from "../servers/server";
import { checkAccessibility, describeInBrowser, screenshot } from "./browser";

const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;

/** Starts a server of one page whose body is `content`, and returns its URL. */
async function pageWith(content: string, head = ""): Promise<string> {
  const text =
    `<!doctype html><html lang="en"><head><title>A page</title>${head}</head><body><main><h1>A ` +
    `page</h1>${content}</main></body></html>`;
  const { url } = await TestServer.start([html(200, text)]);
  return url.href;
}

describeInBrowser("a page in the browser", (withPage) => {
  const open = async (url: string) => withPage(url, async () => {});

  test("passes if it reports nothing, and has the width and the color scheme of its test", async () => {
    const url = await pageWith("", POLICY);
    await withPage(
      url,
      async (page) => {
        expect(await page.evaluate("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]")).toEqual([
          375,
          true,
        ]);
        await checkAccessibility(page);
      },
      { width: 375, colorScheme: "dark" },
    );
  });

  test.each([
    ["writes an error to the console", "<script>console.error('out of tea')</script>", "", /console: out of tea/],
    ["throws", "<script>setTimeout(() => { throw new Error('no tea') })</script>", "", /exception: Error: no tea/],
    ["opens a dialog", "<script>setTimeout(() => alert('tea'))</script>", "", /dialog: tea/],
    ["violates its Content Security Policy", "<script>1</script>", POLICY, /console: Executing inline script violates/],
    [
      "requests something from another origin",
      '<img alt="tea" src="http://127.0.0.1:9/tea">',
      "",
      /foreign request: http:\/\/127\.0\.0\.1:9\/tea/,
    ],
  ])("fails its test if it %s", async (_, content, head, problem) => {
    await expect(open(await pageWith(content, head))).rejects.toThrow(problem);
  });

  test("fails its test with the problem first if the test fails, too", async () => {
    const cause = new Error("The heading is missing.");
    const visit = withPage(await pageWith("<script>console.error('no tea')</script>"), () => Promise.reject(cause));
    await expect(visit).rejects.toMatchObject({ message: expect.stringContaining("no tea"), cause });
  });

  test("may report a problem that its test expects", async () => {
    const url = await pageWith("<script>console.error('no tea')</script>");
    await withPage(url, async () => {}, { expectedProblems: /no tea/ });
  });

  test("fails its accessibility check with the rule, the element and a link", async () => {
    const url = await pageWith('<p style="color: #ddd">pale</p>', POLICY);
    await expect(withPage(url, checkAccessibility)).rejects.toThrow(
      /color-contrast: [\s\S]*p: <p style="color: #ddd">[\s\S]*https:\/\/dequeuniversity\.com/,
    );
  });

  test("is saved as a picture if SCREENSHOTS names a folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "agentgraph-screenshots-"));
    const { SCREENSHOTS } = process.env;
    try {
      process.env.SCREENSHOTS = folder;
      await withPage(await pageWith(""), (page) => screenshot(page, "a page"));
      expect(readdirSync(folder)).toEqual(["a page.png"]);
    } finally {
      if (SCREENSHOTS === undefined) delete process.env.SCREENSHOTS;
      else process.env.SCREENSHOTS = SCREENSHOTS;
      rmSync(folder, { recursive: true });
    }
  });
});
