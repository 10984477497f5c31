// Browser tests in real Chromium against the real program. `npm run e2e [-- name…]` runs all, or those named.
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { closeBrowser, person } from './browser.mjs';
import { startServer } from './server.mjs';
import { tests } from './tests.mjs';

const SHOTS = new URL('../test-results/', import.meta.url).pathname;

mkdirSync(SHOTS, { recursive: true });
const server = await startServer();
const only = process.argv.slice(2);
const JOBS = Number(process.env.GROGNARD_JOBS ?? availableParallelism());
const failed = [];
const begun = Date.now();

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
await closeBrowser();
await server.stop();
console.log(`${failed.length ? `failed: ${failed.join(', ')}` : 'all passed'} in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
process.exit(failed.length ? 1 : 0);
