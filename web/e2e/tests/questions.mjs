// The questions that few games ask, each in a game from a file, each answered by keys in all its ways.
import assert from 'node:assert/strict';
import { questionGames } from '../dice.mjs';
import { byKeys, offers } from '../keyboard.mjs';

/** What can be answered, by the first words of the answers; first what rolls no dice, for that can be undone. */
const ANSWERS = {
  walk: ['halt', 'move'],
  infiltrate: ['no infiltration', 'infiltrate'],
  overstacked: ['remove'],
  call_off: ['call off', 'go on'],
  recon: ['accept', 'slip away'],
  advantage: ['advantage'],
  breakthrough: ['stay', 'attack'],
  counterattack: ['stay', 'attack'],
  antwerp: ['antwerp'],
};

/** What the table's file says was decided last. */
const lastDecision = (player) =>
  player.page.evaluate(async () => {
    const { table } = window.grognard;
    const headers = { authorization: `Bearer ${localStorage.getItem('grognard.token')}` };
    const journal = await (await fetch(`/api/games/${table.id}/journal`, { headers })).json();
    return journal.records.at(-1).action;
  });

/** Is something of what the question is about to be seen on the map? */
const inSight = (player) =>
  player.page.evaluate(() => {
    const { flow, table, handle } = window.grognard;
    const named = flow.ask.prompt.message.args.map(([, a]) => a.place ?? table.piece(a.list?.[0].unit ?? a.unit ?? '')?.at);
    const listed = [...flow.subjects.place.keys(), ...[...flow.subjects.unit.keys()].map((unit) => table.piece(unit).at)];
    const cells = [named, listed].map((list) => list.filter((cell) => table.cell(cell ?? ''))).find((list) => list.length);
    return cells.some((cell) => {
      const at = handle().screen(cell);
      return document.elementFromPoint(at.x, at.y)?.closest('[data-board]') != null;
    });
  });

export const rareQuestions = async ({ url, person }) => {
  const games = questionGames();
  assert.deepEqual(games.map(([question]) => question).sort(), Object.keys(ANSWERS).sort());
  const player = await person({ dice: null });
  for (const [question, journal] of games) {
    await player.goOn(url, 'ardennes44', journal);
    await player.page.waitForFunction(() => window.grognard.flow.ask, null, { timeout: 20_000 });
    await player.settle();
    const { asked } = await player.state();
    assert.equal(asked.key, `prompt.${question}`);
    // Whose decision it is, its rule, and where.
    const side = await player.page.evaluate((seat) => window.grognard.table.seatName(seat), asked.seat);
    const prompt = await player.page.locator('.prompt').innerText();
    assert.ok(prompt.includes(side) && prompt.includes(asked.rule), prompt);
    assert.ok(await inSight(player), `${question}: not in sight`);
    const answers = ANSWERS[question];
    const listed = await offers(player, 30);
    const kinds = new Set(listed.map((o) => answers.find((a) => o.action.startsWith(a)) ?? o.action));
    assert.deepEqual([...kinds].sort(), [...answers].sort(), `what ${question} offers`);
    for (const answer of answers) {
      await byKeys(player, listed.find((o) => o.action.startsWith(answer)));
      const decided = await lastDecision(player);
      assert.ok(decided.startsWith(answer), `${answer}, not ${decided}`);
      if (answer === answers.at(-1)) break;
      await player.press('u');
      await player.until((key) => window.grognard.flow.ask?.prompt.message.key === key, asked.key);
      await player.settle();
    }
  }
};
