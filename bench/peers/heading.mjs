// The heading tool's steps in a cold Node process: start the browser, open a context and a page, load the front page, wait for its main
// heading, read it, print the answer. With "start-page" the site's root is loaded once before, as a run's start page is.
import { chromium } from "playwright-core";

const [site, executablePath, mode] = process.argv.slice(2);
const root = process.getuid?.() === 0;
const browser = await chromium.launch({ executablePath, args: root ? ["--no-sandbox"] : [] });
const context = await browser.newContext();
const page = await context.newPage();
if (mode === "start-page") await page.goto(site + "/", { waitUntil: "domcontentloaded" });
await page.goto(site + "/", { waitUntil: "domcontentloaded" });
const headings = page.getByRole("heading", { level: 1 });
await headings.first().waitFor();
const [heading] = await headings.allInnerTexts();
const answer = { heading: heading.trim(), title: await page.title(), address: page.url() };
await context.close();
console.log(JSON.stringify(answer));
await browser.close();
