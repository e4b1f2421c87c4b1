// The questions of sillytavern_keys.py, put to SillyTavern itself: its page scans the exported World Info.
//
//   npm install sillytavern puppeteer-core && (cd node_modules/sillytavern && node server.js --port 8123)
//   python bench/sillytavern_keys.py --out books
//   node bench/sillytavern_scan.mjs http://127.0.0.1:8123 books /usr/bin/chromium

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [url, folder, browser] = process.argv.slice(2);
const puppeteer = createRequire(`${process.cwd()}/`)('puppeteer-core');
const open = await puppeteer.launch({ executablePath: browser, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
const page = await open.newPage();
await page.goto(url, { waitUntil: 'domcontentloaded' });
await page.waitForFunction(() => window.SillyTavern?.getContext && !document.querySelector('#preloader'), { timeout: 120000 });
for (const { kit, before, questions } of JSON.parse(readFileSync(`${folder}/questions.json`, 'utf8'))) {
    const book = JSON.parse(readFileSync(`${folder}/${kit}.json`, 'utf8'));
    const found = await page.evaluate(async (kit, book, before, questions) => {
        const lore = await import('/scripts/world-info.js');
        const headers = SillyTavern.getContext().getRequestHeaders();
        const name = `reel ${kit}`;
        await fetch('/api/worldinfo/edit', { method: 'POST', headers, body: JSON.stringify({ name, data: book }) });
        await lore.updateWorldInfoList();
        lore.selected_world_info.splice(0, lore.selected_world_info.length, name);
        const answers = [];
        for (const { ask, title } of questions) {
            const scan = await lore.checkWorldInfo([`You: ${ask}`, `X: ${before}`], 8192, true);
            const titles = [...scan.allActivatedEntries.values()].map((entry) => entry.comment);
            answers.push({ ask, title, brought: titles.includes(title), count: titles.length });
        }
        const settings = { depth: lore.world_info_depth, budget: lore.world_info_budget, recursive: lore.world_info_recursive, wholeWords: lore.world_info_match_whole_words };
        return { settings, answers };
    }, kit, book, before, questions);
    const brought = found.answers.filter((one) => one.brought).length;
    const came = found.answers.reduce((sum, one) => sum + one.count, 0) / found.answers.length;
    found.answers.filter((one) => !one.brought).forEach((one) => console.log(`  - ${one.ask}  ->  ${one.title}`));
    console.log(`${kit}: ${brought} of ${found.answers.length} questions bring their memory; ${came.toFixed(1)} entries come to one (${JSON.stringify(found.settings)})`);
}
await open.close();
