// Does in SillyTavern's own page what a person would do there, and prints what came of it as JSON.
//
//   node sillytavern_page.mjs MODULES BROWSER WISHES.json
//
// WISHES: url, endpoint, model, card, book, chatPreset, textPreset, textName, main, description,
// scenario, questions, otherwise; picture, a file for what the page looked like where it went wrong.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';

const [modules, executablePath, file] = process.argv.slice(2);
const wishes = JSON.parse(readFileSync(file, 'utf8'));
const puppeteer = createRequire(`${modules}/`)('puppeteer-core');
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--no-first-run'];
const browser = await puppeteer.launch({ executablePath, headless: true, args, defaultViewport: { width: 1400, height: 900 } });
const page = await browser.newPage();
page.setDefaultTimeout(30000);
const seen = {};
let step = 'open the page';

const run = (line) => page.evaluate(async (line) => {
    const done = await SillyTavern.getContext().executeSlashCommandsWithOptions(line, { handleParserErrors: false, handleExecutionErrors: false });
    return done.pipe;
}, line);
const give = async (selector, path) => (await page.$(selector)).uploadFile(path);
const stem = (path) => basename(path).replace(/\.[^.]+$/, '');
const chat = () => page.evaluate(() => SillyTavern.getContext().chat.map((one) => [one.name, one.mes]));

try {
    // asked for when all of the page is ready
    const ready = page.waitForResponse((answer) => answer.url().endsWith('/api/chats/recent'), { timeout: 120000 });
    await page.goto(wishes.url, { waitUntil: 'domcontentloaded' });
    await page.waitForFunction(() => window.SillyTavern?.getContext && !document.querySelector('#preloader'), { timeout: 120000 });
    // the welcome asks for a name
    await page.waitForSelector('dialog[open] .popup-input', { timeout: 10000 }).catch(() => null);
    await page.evaluate((name) => {
        const dialog = document.querySelector('dialog[open]');
        if (!dialog) return;
        dialog.querySelector('.popup-input').value = name;
        dialog.querySelector('.popup-button-ok').click();
    }, 'Tomas');
    await page.waitForFunction(() => SillyTavern.getContext().name1 === 'Tomas');
    await ready;

    step = 'import the card';
    await give('#character_import_file', wishes.card);
    await page.waitForFunction(() => SillyTavern.getContext().characters.some((one) => one.name === 'Ada'));
    seen.card = await page.evaluate(async () => {
        const context = SillyTavern.getContext();
        const place = context.characters.findIndex((one) => one.name === 'Ada');
        await context.unshallowCharacter?.(String(place));
        const { avatar, data } = SillyTavern.getContext().characters[place];
        const answer = await fetch('/api/characters/export', { method: 'POST', headers: context.getRequestHeaders(), body: JSON.stringify({ format: 'json', avatar_url: avatar }) });
        return { avatar, data, out: await answer.text() };
    });

    step = 'import the World Info';
    await give('#world_import_file', wishes.book);
    await page.waitForFunction(async (name) => (await import('/scripts/world-info.js')).world_names.includes(name), {}, stem(wishes.book));
    seen.book = await page.evaluate(async (name) => Object.keys((await (await import('/scripts/world-info.js')).loadWorldInfo(name)).entries).length, stem(wishes.book));

    step = 'connect';
    // a server of one's own, for chat completion
    await run('/api quiet=true custom');
    await run(`/api-url api=custom connect=false quiet=true ${wishes.endpoint}`);
    await page.evaluate((model) => {
        const field = document.querySelector('#custom_model_id');
        field.value = model;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        document.querySelector('#api_button_openai').click();
    }, wishes.model);
    await page.waitForFunction(() => SillyTavern.getContext().onlineStatus !== 'no_connection');

    step = 'import the preset for chat completion';
    await give('#openai_preset_import_file', wishes.chatPreset);
    await page.waitForFunction((name) => SillyTavern.getContext().chatCompletionSettings.preset_settings_openai === name, {}, stem(wishes.chatPreset));
    seen.chatPreset = await page.evaluate(() => {
        const { openai_max_context: context, openai_max_tokens: answer, max_context_unlocked: unlocked } = SillyTavern.getContext().chatCompletionSettings;
        return { context, answer, unlocked };
    });

    step = 'fill the fields';
    await page.evaluate(async ({ main, description, scenario }) => {
        const context = SillyTavern.getContext();
        const place = context.characters.findIndex((one) => one.name === 'Ada');
        const avatar = context.characters[place].avatar;
        const change = { avatar, data: { system_prompt: main, description, scenario, personality: '', mes_example: '', post_history_instructions: '', character_book: undefined }, description, scenario, personality: '', mes_example: '' };
        const answer = await fetch('/api/characters/merge-attributes', { method: 'POST', headers: context.getRequestHeaders(), body: JSON.stringify(change) });
        if (!answer.ok) throw new Error(`the fields were not taken: ${answer.status}`);
        await context.getCharacters();
        await context.selectCharacterById(SillyTavern.getContext().characters.findIndex((one) => one.name === 'Ada'));
    }, wishes);
    await page.waitForFunction(() => SillyTavern.getContext().chatId);
    step = 'talk';
    const say = async (text) => {
        const before = (await chat()).length;
        await run(`/send ${text} | /trigger await=true`);
        await page.waitForFunction((many) => SillyTavern.getContext().chat.length >= many && !document.querySelector('#mes_stop')?.checkVisibility(), {}, before + 2);
    };
    for (const text of wishes.questions) await say(text);
    seen.first = { name: await page.evaluate(() => SillyTavern.getContext().chatId), chat: await chat() };
    step = 'hide, narrate, branch';
    const at = seen.first.chat.length - 2;
    await run(`/hide ${at - 2}-${at - 1}`);
    await run('/sys The bell rings twice.');
    await page.evaluate(() => SillyTavern.getContext().saveChat());
    seen.checkpoint = await run(`/checkpoint-create mes=${at - 1} Before she spoke`);
    seen.branch = await run(`/branch-create ${at - 1}`);
    await page.waitForFunction((name) => SillyTavern.getContext().chatId === name, {}, seen.branch);
    await say(wishes.otherwise);
    await run('/swipe direction=right').catch((error) => { seen.swipe = String(error); });
    await page.evaluate(() => SillyTavern.getContext().saveChat());
    seen.second = { name: seen.branch, chat: await chat() };

    step = 'import the preset for text completion';
    await give('#af_master_import_file', wishes.textPreset);
    await page.waitForFunction((name) => {
        // it asks which parts to take, all of which are ticked
        [...document.querySelectorAll('dialog[open]')].find((one) => one.innerText.includes('Context Template'))?.querySelector('.popup-button-ok').click();
        return SillyTavern.getContext().powerUserSettings.context.preset === name;
    }, { polling: 500 }, wishes.textName);
    seen.textPreset = await page.evaluate(() => ({ story: SillyTavern.getContext().powerUserSettings.context.story_string }));
} catch (error) {
    seen.error = `${step}: ${error.message} (shown: ${JSON.stringify(await page.evaluate(() => [...document.querySelectorAll('dialog[open], .toast-message')].map((one) => one.innerText.slice(0, 150))))})`;
    if (wishes.picture) await page.screenshot({ path: wishes.picture });
}
console.log(JSON.stringify(seen));
await browser.close();
