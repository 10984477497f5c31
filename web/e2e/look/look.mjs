// Looks at the page in every language, size and theme, leaves a screenshot of each, and lists what is wrong by measure: what is
// wider than the window, cut, covered, too faint, too small for a finger, not translated.
// `npm run look [-- SCENE…]`; GROGNARD_LOOK="ko 390 dark" looks at those only.
import { mkdirSync, writeFileSync } from 'node:fs';
import { closeBrowser, person } from '../browser.mjs';
import { startServer } from '../server.mjs';
import { faults } from './inspect.mjs';
import { scenes } from './scenes.mjs';

const SHOTS = process.env.GROGNARD_SHOTS ?? new URL('../../test-results/look/', import.meta.url).pathname;
const LANGUAGES = ['en', 'ko', 'ja'];
const SIZES = [
  [1440, 900],
  [820, 1180],
  [390, 844],
];
const THEMES = ['light', 'dark'];
const only = process.argv.slice(2);
const filter = (process.env.GROGNARD_LOOK ?? '').split(' ').filter(Boolean);
const among = (list, name = String) => {
  const named = list.filter((one) => filter.includes(name(one)));
  return named.length ? named : list;
};

mkdirSync(SHOTS, { recursive: true });
const server = await startServer();
/** fault → where it was seen. */
const found = new Map();
let looked = 0;

async function look(name, scene) {
  const begun = await person({ dice: 1 });
  const hash = await scene.begin(begun, server.url);
  const token = await begun.page.evaluate(() => localStorage.getItem('grognard.token'));
  await begun.page.context().close();
  for (const size of among(SIZES, (s) => String(s[0])))
    for (const language of among(LANGUAGES)) {
      const touch = size[0] < 1000;
      const player = await person({ size, touch, dice: null, prefs: { language, theme: 'auto' } });
      await player.page.context().addInitScript((t) => localStorage.setItem('grognard.token', t), token);
      const label = `${name}-${language}-${size[0]}`;
      try {
        await player.open(`${server.url}/${hash}`);
        await player.page.evaluate(() => document.fonts.ready);
        await scene.show(player);
        for (const theme of among(THEMES)) {
          await player.page.emulateMedia({ colorScheme: theme });
          await player.page.waitForTimeout(250);
          await player.page.waitForFunction(() => !window.grognard?.handle() || window.grognard.handle().mapComplete(), null, { timeout: 20_000 }).catch(() => undefined);
          looked++;
          await player.screenshot(`${SHOTS}${label}-${theme}.png`);
          for (const fault of await player.page.evaluate(faults, { language, touch })) {
            const where = found.get(`${name}: ${fault}`) ?? [];
            found.set(`${name}: ${fault}`, [...where, `${language} ${size[0]} ${theme}`]);
          }
        }
      } catch (error) {
        found.set(`${name}: not shown: ${String(error).slice(0, 160)}`, [`${language} ${size[0]}`]);
        await player.screenshot(`${SHOTS}failed-${label}.png`).catch(() => undefined);
      }
      for (const error of player.errors) found.set(`${name}: error in the page: ${error}`, [`${language} ${size[0]}`]);
      await player.page.context().close();
    }
}

for (const [name, scene] of Object.entries(scenes)) {
  if (only.length && !only.includes(name)) continue;
  const before = Date.now();
  await look(name, scene);
  console.log(`${name}: ${((Date.now() - before) / 1000).toFixed(0)} s`);
}
await closeBrowser();
await server.stop();
const lines = [...found].map(([fault, where]) => `${fault}  [${where.length > 4 ? `${where.length}× ${where[0]} …` : where.join(', ')}]`);
writeFileSync(`${SHOTS}faults.txt`, `${lines.join('\n')}\n`);
console.log(lines.join('\n') || 'nothing wrong');
console.log(`${looked} looks, ${found.size} faults; pictures in ${SHOTS}`);
process.exit(found.size ? 1 : 0);
