// The questions that few games ask, each in a game from a file, each answered by keys in all its ways.
import assert from 'node:assert/strict';
import { questionGames } from '../dice.mjs';
import { byKeys, offers } from '../keyboard.mjs';

/** What can be answered, by the first words of the answers. */
const ANSWERS = {
  walk: ['halt', 'move'],
  infiltrate: ['infiltrate', 'no infiltration'],
  overstacked: ['remove'],
  call_off: ['call off', 'go on'],
  recon: ['accept', 'slip away'],
  advantage: ['advantage'],
  breakthrough: ['attack', 'stay'],
  counterattack: ['attack', 'stay'],
  antwerp: ['antwerp'],
};

export const rareQuestions = async ({ url, person, shot }) => {
  const games = questionGames();
  assert.deepEqual(games.map(([question]) => question).sort(), Object.keys(ANSWERS).sort());
  const player = await person({ dice: null });
  for (const [question, journal] of games) {
    for (const answer of ANSWERS[question]) {
      await player.open(`${url}/#/`);
      await player.page.locator('.import input').setInputFiles({ name: 'game.json', mimeType: 'application/json', buffer: Buffer.from(journal) });
      await player.atTable();
      await player.page.waitForFunction(() => window.grognard.flow.ask, null, { timeout: 20_000 });
      await player.settle();
      const before = await player.state();
      assert.equal(before.asked.key, `prompt.${question}`);
      // Whose decision it is, what is asked, and the rule.
      const side = await player.page.evaluate(() => window.grognard.table.seatName(window.grognard.flow.ask.seat));
      const prompt = await player.page.locator('.prompt').innerText();
      assert.ok(prompt.includes(side) && prompt.includes(before.asked.rule), prompt);
      if (answer === ANSWERS[question][0]) await shot(player, `question-${question}`);
      const listed = await offers(player, 30);
      const kinds = [...new Set(listed.map((o) => ANSWERS[question].find((a) => o.action.startsWith(a)) ?? o.action))];
      assert.deepEqual(kinds.sort(), [...ANSWERS[question]].sort(), `what ${question} offers`);
      await byKeys(player, listed.find((o) => o.action.startsWith(answer)));
      const done = await player.page.evaluate(() => window.grognard.table.history?.at(-1)?.action ?? null);
      console.log(`      ${question}: ${answer} | ${done} -> ${(await player.state()).asked?.key}`);
    }
  }
};
