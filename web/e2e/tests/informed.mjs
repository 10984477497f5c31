// What a player knows before deciding, and what can be tried without deciding.
import assert from 'node:assert/strict';
import { hotseat } from './common.mjs';

/** A question of a fight shows what each answer leads to; its rows are its buttons. */
export const brief = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  const key = await player.fast({ until: ['prompt.support', 'prompt.fire_fight', 'prompt.determined_defense', 'prompt.loss'], most: 900, attack: true });
  assert.ok(key, 'a fight asked something');
  const card = player.page.locator('[data-brief]');
  await card.waitFor({ timeout: 20_000 });
  const rows = card.locator('tbody [data-action]');
  assert.ok((await rows.count()) >= 1, 'there are answers with figures');
  assert.ok(/\d+\s?%/.test(await card.innerText()), 'chances are figures');
  await shot(player, 'brief-1440');
  const before = await player.state();
  await rows.first().click();
  await player.waitDecision(before.decision);
};

/** Moves laid as a plan: nobody is told until they are carried out. */
export const plan = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  await player.fast({ until: ['prompt.movement'] });
  const before = await player.state();
  await player.press('m');
  const bar = player.page.locator('[data-plan]');
  await bar.waitFor();
  await player.selectMover();
  await player.click((await player.state()).targets[0]);
  await player.until(() => window.grognard.table.plan?.length === 1);
  await shot(player, 'plan-1440');
  const decided = await player.page.evaluate(() => window.grognard.table.now.decision);
  assert.equal(decided, before.decision, 'nothing was decided');
  const moved = await player.page.evaluate(() => {
    const { table } = window.grognard;
    return table.live.pieces.filter((p) => table.actual.pieces.find((q) => q.id === p.id)?.at !== p.at).length;
  });
  assert.ok(moved >= 1, 'the plan shows where it would stand');
  await bar.getByRole('button', { name: 'Carry out' }).click();
  await player.waitDecision(before.decision);
  assert.equal(await bar.count(), 0);
};

/** A position opens as a lab that the rules answer; a moment of the replay goes on as a new game. */
export const settle = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  await player.fast({ until: ['prompt.movement'] });
  const id = await player.page.evaluate(() => window.grognard.table.id);
  await player.page.getByRole('button', { name: 'Menu' }).click();
  await player.page.locator('[data-lab]').click();
  await player.page.getByRole('heading', { name: 'Settle it' }).waitFor();
  await player.page.getByLabel('Step', { exact: true }).fill('victory');
  await player.page.getByRole('button', { name: 'Add', exact: true }).click();
  await player.page.locator('article dl').first().waitFor({ timeout: 20_000 });
  await shot(player, 'lab-1440');
  await player.open(`${url}/#/table/${id}?at=1`);
  await player.atTable();
  await player.page.locator('[data-branch]').click();
  await player.page.getByRole('dialog').locator('select').nth(1).selectOption('hotseat');
  await player.page.getByRole('button', { name: 'Open the table' }).click();
  await player.page.waitForFunction((old) => window.grognard?.table.id !== old && window.grognard?.table.now, id, { timeout: 20_000 });
  assert.equal(await player.page.evaluate(() => window.grognard.table.now.decision), 1, 'it goes on after one decision');
};

/** A scenario is told before it begins. */
export const briefing = async ({ url, person, shot }) => {
  const player = await person();
  await player.open(`${url}/#/new/ardennes44/six_turn`);
  const told = player.page.locator('.briefing');
  await told.locator('.forces canvas').first().waitFor({ timeout: 20_000 });
  assert.ok(/Harder side/.test(await told.innerText()));
  await shot(player, 'briefing-1440');
};
