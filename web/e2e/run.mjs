// Browser tests in real Chromium against the real program. `npm run e2e [-- name…]` runs all, or those named.
import { mkdirSync, existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { chromium } from 'playwright-core';
import { sameDice } from './dice.mjs';
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
const launch = () => chromium.launch({ executablePath, args: FLAGS });
let launching = launch();
const only = process.argv.slice(2);
const JOBS = Number(process.env.GROGNARD_JOBS ?? availableParallelism());
const failed = [];
const begun = Date.now();

/** A fresh browser profile: another person. With `dice: null` the games made by it are made as anybody's are. */
async function person({ size = [1440, 900], touch = false, prefs = {}, scale = 1, dice = 1 } = {}) {
  // A browser that died takes no other test with it.
  if (!(await launching).isConnected()) launching = launch();
  const browser = await launching;
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
  if (dice !== null) await sameDice(context, dice);
  return new Player(await context.newPage(), { touch });
}

/** One run of a test, with people of its own; the error, if it failed. */
async function once(name, test, attempt) {
  const people = [];
  try {
    await test({
      url: server.url,
      server,
      person: async (options) => {
        const player = await person(options);
        people.push(player);
        return player;
      },
      shot: (player, label) => player.screenshot(`${SHOTS}${label}.png`),
    });
    const errors = people.flatMap((p) => p.errors);
    if (errors.length) throw new Error(`errors in the page: ${errors.join('; ')}`);
    return null;
  } catch (error) {
    for (const [i, p] of people.entries()) await p.screenshot(`${SHOTS}failed-${name}-${attempt}-${i}.png`).catch(() => undefined);
    return error;
  } finally {
    for (const p of people) await p.page.context().close().catch(() => undefined);
  }
}

/** Run a test and tell how it went. A busy machine may starve a browser: what fails is tried once more, and both outcomes are told. */
async function run([name, test]) {
  for (const attempt of [1, 2]) {
    const started = Date.now();
    const error = await once(name, test, attempt);
    if (!error) {
      console.log(`ok    ${name}  (${((Date.now() - started) / 1000).toFixed(1)} s${attempt > 1 ? ', at the second attempt' : ''})`);
      return;
    }
    console.error(`FAIL  ${name}, attempt ${attempt}: ${error.stack ?? error}`);
  }
  failed.push(name);
}

// Tests have tables and browser profiles of their own: as many run at once as there are processors. Those marked `alone` follow one by one.
const wanted = Object.entries(tests).filter(([name]) => !only.length || only.includes(name));
const queue = wanted.filter(([, test]) => !test.alone);
const work = async () => {
  for (let next = queue.shift(); next; next = queue.shift()) await run(next);
};
await Promise.all(Array.from({ length: JOBS }, work));
for (const test of wanted.filter(([, { alone }]) => alone)) await run(test);
await (await launching).close();
await server.stop();
console.log(`${failed.length ? `failed: ${failed.join(', ')}` : 'all passed'} in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
process.exit(failed.length ? 1 : 0);
