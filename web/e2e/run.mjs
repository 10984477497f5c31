// Browser tests in real Chromium against the real program. `npm run e2e [-- name…]` runs all, or those named.
import { mkdirSync, existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { startServer } from './server.mjs';
import { Player } from './player.mjs';
import { tests } from './tests.mjs';

const SHOTS = new URL('../test-results/', import.meta.url).pathname;
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const executablePath = [process.env.GROGNARD_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
if (!executablePath) throw new Error('no Chromium found; name one by GROGNARD_CHROMIUM');

mkdirSync(SHOTS, { recursive: true });
const server = await startServer();
const browser = await chromium.launch({ executablePath, args: FLAGS });
const only = process.argv.slice(2);
const failed = [];
const begun = Date.now();

/** A fresh browser profile: another person. */
async function person({ size = [1440, 900], touch = false, prefs = {}, scale = 1 } = {}) {
  const context = await browser.newContext({
    viewport: { width: size[0], height: size[1] },
    hasTouch: touch,
    isMobile: touch,
    deviceScaleFactor: scale,
    locale: 'en-US',
  });
  await context.addInitScript((value) => {
    if (!localStorage.getItem('grognard.prefs')) localStorage.setItem('grognard.prefs', value);
  }, JSON.stringify({ language: 'en', theme: 'light', animate: false, ...prefs }));
  return new Player(await context.newPage(), { touch });
}

const shared = {};
for (const [name, test] of Object.entries(tests)) {
  if (only.length && !only.includes(name)) continue;
  const people = [];
  const started = Date.now();
  try {
    await test({
      url: server.url,
      server,
      shared,
      person: async (options) => {
        const player = await person(options);
        people.push(player);
        return player;
      },
      shot: (player, label) => player.screenshot(`${SHOTS}${label}.png`),
    });
    const errors = people.flatMap((p) => p.errors);
    if (errors.length) throw new Error(`errors in the page: ${errors.join('; ')}`);
    console.log(`ok    ${name}  (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed.push(name);
    console.error(`FAIL  ${name}: ${error.stack ?? error}`);
    for (const [i, p] of people.entries()) await p.screenshot(`${SHOTS}failed-${name}-${i}.png`).catch(() => undefined);
  } finally {
    for (const p of people) await p.page.context().close().catch(() => undefined);
  }
}
await browser.close();
await server.stop();
console.log(`${failed.length ? `failed: ${failed.join(', ')}` : 'all passed'} in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
process.exit(failed.length ? 1 : 0);
