// The whole game without a mouse.
import assert from 'node:assert/strict';
import { byKeys, offers } from '../keyboard.mjs';
import { duel, fightOn, hotseat } from './common.mjs';

/** Losses, retreats and advances. */
export const keysOnly = async ({ url, person }) => {
  const player = await hotseat(person, url);
  await fightOn(player, async (key, before, action) => {
    const offered = await offers(player, 50);
    await byKeys(player, offered.find((o) => o.action === action));
  });
};

/** Play on; whatever kind of answer has not been given yet is given by keys, the rest in passing. */
async function answerAll(player, decisions) {
  let dice = 7;
  const any = (list) => {
    dice = (Math.imul(dice, 1103515245) + 12345) >>> 0;
    return list[(dice >>> 8) % list.length];
  };
  const given = new Map();
  for (let i = 0; i < decisions; i++) {
    await player.page.waitForFunction(() => window.grognard.flow.ask, null, { timeout: 20_000 });
    await player.settle();
    const { asked } = await player.state();
    // No two buttons read alike.
    const buttons = await player.page.locator('.bar [data-action]:not(.turn)').allInnerTexts();
    const words = buttons.map((text) => text.replace(/\s*\n.*$/s, ''));
    assert.equal(new Set(words).size, words.length, `${asked.key}: ${words.join(' | ')}`);
    const kind = (o) => `${asked.key} ${o.verb.replace(/ .*/, '')} ${o.kind}`;
    const listed = await offers(player);
    const fresh = listed.filter((o) => !given.has(kind(o)));
    // What ends the question comes last, else there is little to see, and a ready-made deployment after a unit has been placed by hand.
    const early = fresh.filter((o) => !/^(done|end|pass)/.test(o.action));
    const byHand = early.filter((o) => !/^deploy/.test(o.action));
    // A set-up of which everything has been seen is ended; random placing would go on for long.
    const ready = listed.filter((o) => /^(deploy|done)/.test(o.action));
    const known = ready.some((o) => /^deploy/.test(o.action)) ? ready : listed;
    const offer = any([byHand, early, fresh, known].find((list) => list.length > 0));
    if (fresh.length === 0 && !offer.template && !/^deploy/.test(offer.action)) await player.page.evaluate(([seat, action]) => window.grognard.table.act(seat, action), [asked.seat, offer.action]);
    else await byKeys(player, offer);
    given.set(kind(offer), offer.action);
  }
  return given;
}

/** Set-up, movement in all its ways, digging, trucks, attacks, support, bridges, markers, replacements … GROGNARD_KEYS plays on for so many decisions. */
export const everyQuestion = async ({ url, person }) => {
  const player = await hotseat(person, url);
  const given = await answerAll(player, Number(process.env.GROGNARD_KEYS ?? 60));
  const verbs = new Set([...given.keys()].map((k) => k.split(' ')[1]));
  for (const verb of ['place', 'deploy', 'done', 'move', 'attack']) assert.ok(verbs.has(verb), `${verb} among ${[...verbs]}`);
  assert.ok(given.size >= 12, [...given].join('\n'));
};

/** The secret Commands, fire, Overwatch and movement of the other game. */
export const everyCommand = async ({ url, person }) => {
  const player = await duel(person, url, 'chouigui');
  const given = await answerAll(player, Number(process.env.GROGNARD_KEYS ?? 60));
  const verbs = new Set([...given.keys()].map((k) => k.split(' ')[1]));
  for (const verb of ['place', 'deploy', 'command', 'done']) assert.ok(verbs.has(verb), `${verb} among ${[...verbs]}`);
  assert.ok(given.size >= 6, [...given].join('\n'));
};

/** Holland: landings, marches, bridges, fights. */
export const everyLanding = async ({ url, person }) => {
  const player = await person({ dice: 3 });
  await player.sitDown(url, 'holland44', 'nijmegen');
  const given = await answerAll(player, Number(process.env.GROGNARD_KEYS ?? 60));
  const verbs = new Set([...given.keys()].map((k) => k.split(' ')[1]));
  for (const verb of ['land', 'deploy', 'done', 'move', 'blow']) assert.ok(verbs.has(verb), `${verb} among ${[...verbs]}`);
  assert.ok(given.size >= 10, [...given].join('\n'));
};
