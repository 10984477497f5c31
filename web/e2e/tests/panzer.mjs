// Panzer: North Africa at one screen: Commands in secret with the curtain between, the line of sight, fire, movement, the
// end of a turn.
import assert from 'node:assert/strict';
import { bareKeys, duel, hurry } from './common.mjs';

/** Give each of these units a Command by its counter and button. */
async function command(player, units, order) {
  for (const unit of units) {
    const before = await player.state();
    await player.pickUnit(unit);
    await player.page.waitForFunction(() => window.grognard.flow.options.length + window.grognard.flow.choices.length > 0, null, { timeout: 5000 });
    await player.choose(`command ${unit} ${order}`);
    await player.waitDecision(before.decision);
  }
}

/** What this screen knows of a unit's Command. */
const counter = (player, unit) =>
  player.page.evaluate((id) => window.grognard.table.piece(id).states?.find((s) => s.startsWith('command')) ?? null, unit);

export const panzer = async ({ url, person, shot }) => {
  const player = await duel(person, url, 'chouigui');
  await player.page.waitForFunction(() => window.grognard.handle().mapComplete(), null, { timeout: 60_000 });
  await shot(player, 'panzer-1440');

  // Both sides set up: by the list, or freely in their areas.
  const start = await player.state();
  assert.equal(start.asked.key, 'prompt.set_up');
  await player.pickUnit(start.units[0]);
  await player.page.waitForFunction(() => window.grognard.flow.current?.targets.size > 3, null, { timeout: 5000 });
  const free = await player.page.evaluate(() => [...window.grognard.flow.current.targets.keys()].find((c) => !window.grognard.table.live.pieces.some((p) => p.at === c)));
  await shot(player, 'panzer-set-up-1440');
  await player.click(free);
  await player.waitDecision(start.decision);
  assert.equal(await player.at(start.units[0]), free);
  await player.fast({ until: ['prompt.commands'] });

  // The tool: from one hex to another, with what blocks and why.
  await player.press('v');
  await player.click('8P12');
  await player.click('8P5');
  await player.page.waitForFunction(() => window.grognard.overlays?.found ?? document.querySelector('.section, .found'), null, { timeout: 5000 });
  await shot(player, 'panzer-los-1440');
  await player.press('v');

  // What a bot would do here.
  await player.press('i');
  await player.page.locator('.advice .primary').waitFor({ timeout: 60_000 });
  assert.match(await player.page.evaluate(() => window.grognard.analysis.advice.action), /^command /);
  await shot(player, 'panzer-advice-1440');
  await player.press('Escape');

  // Commands of the first side; the other must not see them.
  const first = await player.state();
  assert.equal(first.asked.key, 'prompt.commands');
  const mine = first.units;
  assert.ok(mine.length > 3, `vehicles: ${mine}`);
  await command(player, mine.slice(0, 2), 'move');
  await command(player, mine.slice(2, 3), 'overwatch');
  assert.equal(await counter(player, mine[0]), 'command_move');
  await shot(player, 'panzer-commands-1440');
  await player.page.locator('[data-action="done"]').click();
  if (await player.page.evaluate(() => window.grognard.flow.warned !== null)) await player.page.keyboard.press('d');
  const curtain = player.page.locator('.curtain');
  await curtain.waitFor({ timeout: 10_000 });
  await shot(player, 'panzer-curtain-1440');
  await curtain.locator('.btn').first().click();
  await player.settle();
  const second = await player.state();
  assert.notEqual(second.asked.seat, first.asked.seat);
  assert.notEqual(await counter(player, mine[0]), 'command_move', 'what was commanded in secret is hidden');
  await command(player, second.units.slice(0, 2), 'move');
  await player.done();
  assert.deepEqual(await bareKeys(player), []);

  // To a move: by pointing at a hex and an arrow for the facing.
  await player.fast({ until: ['prompt.movement'] });
  const mover = await player.selectMover();
  await shot(player, 'panzer-reach-1440');
  await player.click(mover.targets.at(-1));
  const arrows = player.page.locator('.rose button');
  if (await arrows.count()) await arrows.first().click();
  await player.waitDecision(mover.decision);
  // Every step may draw Overwatch: the other side is asked, and holds.
  for (let i = 0; i < 40 && (await player.at(mover.selected[0])) !== mover.targets.at(-1); i++) await player.answer(hurry);
  assert.equal(await player.at(mover.selected[0]), mover.targets.at(-1));

  // To the end of the turn.
  let s = await player.state();
  for (let i = 0; i < 200 && s.turn === first.turn; i++) {
    await player.answer(hurry);
    s = await player.state();
  }
  assert.equal(s.turn, first.turn + 1, 'the turn ended');
  assert.deepEqual(await bareKeys(player), []);
};

/** One decision of a duel: fire if anybody can, else drive at the other vehicle. */
const close = (player) =>
  player.page.evaluate(async () => {
    const { table, handle } = window.grognard;
    const [ask] = table.now.asks;
    const actions = (await Promise.all(ask.subjects.map((subject) => table.options(ask.seat, subject)))).flat().map((o) => o.action);
    const on = (cell) => handle().geometry.at(cell);
    const foe = on(table.live.pieces.find((p) => p.seat === 1 - ask.seat).at);
    const far = (action) => { const at = on(action.split(' ').find((word) => table.cell(word))); return Math.hypot(at.x - foe.x, at.y - foe.y); };
    const given = table.live.pieces.some((p) => p.seat === ask.seat && p.states?.some((s) => s.startsWith('command')));
    const order = given ? undefined : (actions.find((a) => / fire$/.test(a)) ?? actions.find((a) => /^command \S+ move$/.test(a)));
    const drive = actions.filter((a) => /^move \S+ to /.test(a)).sort((a, b) => far(a) - far(b))[0];
    await table.act(ask.seat, order ?? drive ?? actions.find((a) => /^(done|hold|no )/.test(a)) ?? actions[0]);
  });

/** The only vehicle that can move is selected at once; a shot at the press of a key shows its sheet first. */
export const atHand = async ({ url, person }) => {
  const player = await duel(person, url, 'hafid-duel');
  await player.page.evaluate(() => sessionStorage.setItem(`grognard.open.${window.grognard.table.id}`, 'yes'));
  const { page } = player;
  let moved = false;
  for (let i = 0; i < 120; i++) {
    await player.until(() => window.grognard.flow.ask !== null);
    await player.settle();
    const { asked, decision, selected, targets, direct } = await player.state();
    if (asked.key === 'prompt.movement' && !moved) {
      moved = true;
      assert.equal(selected.length, 1, 'the only one that can move');
      assert.ok(targets.length > 8 && (await page.evaluate(() => window.grognard.flow.costs.size)) > 8, 'its reach is on the map');
      assert.deepEqual(direct.filter((action) => / to /.test(action)), [], 'nothing else covers the map');
    }
    if (/^prompt\.direct_fire/.test(asked.key)) break;
    await close(player);
    await player.waitDecision(decision);
  }
  const before = await player.state();
  assert.ok(moved && /^fire/.test(before.buttons[0] ?? ''), `a shot by a key: ${before.asked.key} ${before.buttons}`);
  await player.press('1');
  await player.until(() => window.grognard.flow.draft?.sheet);
  assert.equal((await player.state()).decision, before.decision, 'nothing is fired before it is confirmed');
  await page.locator('section[aria-label] h3', { hasText: 'Fire at' }).waitFor();
  await player.press('Escape');
  assert.equal((await player.state()).draft, null);
};
