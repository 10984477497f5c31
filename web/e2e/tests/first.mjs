// The first game: what the lobby offers to newcomers.
import assert from 'node:assert/strict';
import { bareKeys } from './common.mjs';

/** Each game's shortest scenario heads the list, is chosen for a newcomer, takes at most an hour, and can be played at once. */
export const firstGame = async ({ url, person, shot }) => {
  const player = await person();
  for (const [game, scenario] of [['ardennes44', 'St-Vith'], ['holland44', 'Eindhoven'], ['wurzburg', 'First Contact']]) {
    await player.open(`${url}/#/new/${game}`);
    const first = player.page.locator('label.option:has(input[name=scenario])').first();
    await first.waitFor({ timeout: 60_000 });
    const words = await first.innerText();
    assert.match(words, new RegExp(`^${scenario}`));
    assert.match(words, /about 20 min/);
    assert.ok(await first.locator('input').isChecked(), `${scenario} is chosen`);
    await player.page.locator('.briefing .forces canvas').first().waitFor({ timeout: 30_000 });
    await player.until(() => Number(document.querySelector('.thumb').dataset.stacks) > 3, undefined, 60_000);
    await shot(player, `first-${game}-1440`);
  }
  await player.page.locator('.seat select').nth(1).selectOption('hotseat');
  await player.page.locator('button.primary').last().click();
  await player.atTable();
  assert.ok((await player.state()).asked, 'something is asked at once');
  assert.deepEqual(await bareKeys(player), []);
};

/** Whoever sets up freely is offered several ready-made deployments, each with a sentence; one of them is taken and changed. */
export const readyMade = async ({ url, person, shot }) => {
  const player = await person();
  await player.sitDown(url, 'panzer', 'chouigui');
  const card = player.page.locator('.ready');
  await card.waitFor({ timeout: 20_000 });
  const offers = card.locator('[data-action^="deploy"]');
  assert.deepEqual(await offers.evaluateAll((all) => all.map((e) => e.dataset.action)), ['deploy', 'deploy forward', 'deploy cover']);
  for (const words of await card.locator('p').allInnerTexts()) assert.ok(words.length > 40, words);
  const stood = () => player.page.evaluate((seat) => window.grognard.table.live.pieces.filter((p) => p.seat === seat).map((p) => p.at).join(), 0);
  const listed = await stood();
  const { decision } = await player.state();
  await card.locator('[data-action="deploy forward"]').click();
  await player.waitDecision(decision);
  const forward = await stood();
  assert.notEqual(forward, listed);
  await shot(player, 'ready-made-1440');
  await card.locator('[data-action="deploy cover"]').click();
  await player.waitDecision(decision + 1);
  assert.notEqual(await stood(), forward);
  // It may still be changed, and ends with Done.
  assert.equal((await player.state()).asked.key, 'prompt.set_up');
  assert.deepEqual(await bareKeys(player), []);
};

/** Every game whose scenario leaves the set-up free has at least two ready-made deployments, and they differ. */
export const deployments = async ({ url, person, shot }) => {
  for (const [game, scenario, others] of [['ardennes44', 'six_turn', ['deploy', 'deploy armor']], ['holland44', 'short_game', ['deploy', 'deploy close']]]) {
    const stood = [];
    for (const action of others) {
      const player = await person();
      await player.sitDown(url, game, scenario);
      const card = player.page.locator('.ready');
      await card.waitFor({ timeout: 20_000 });
      assert.deepEqual(await card.locator('[data-action]').evaluateAll((all) => all.map((e) => e.dataset.action)), others);
      for (const words of await card.locator('p').allInnerTexts()) assert.ok(words.length > 40, words);
      const { decision } = await player.state();
      await card.locator(`[data-action="${action}"]`).click();
      await player.waitDecision(decision);
      stood.push(await player.page.evaluate(() => window.grognard.table.live.pieces.filter((p) => window.grognard.table.cell(p.at)).map((p) => `${p.id} ${p.at}`).sort().join()));
      assert.deepEqual(await bareKeys(player), []);
      await shot(player, `${action.replace(' ', '-')}-${game}-1440`);
    }
    assert.notEqual(stood[0], stood[1], `${game}: they differ`);
  }
};

/** As a game begins, a card says what it is about; it goes when play begins, and comes back from the menu. */
export const orders = async ({ url, person, shot }) => {
  const player = await person();
  await player.open(`${url}/#/new/ardennes44/st_vith`);
  await player.page.getByRole('button', { name: 'Set up the table' }).click();
  await player.atTable();
  const card = player.page.locator('.orders');
  await card.waitFor();
  assert.match(await card.innerText(), /St-Vith[\s\S]*Your side: German[\s\S]*two of five places/);
  await shot(player, 'orders-1440');
  await player.press(' ');
  await card.waitFor({ state: 'detached' });
  await player.page.reload();
  await player.atTable();
  assert.equal(await card.count(), 0, 'read once');
  await player.page.getByRole('button', { name: 'Menu' }).click();
  await player.page.getByRole('button', { name: 'Briefing' }).click();
  await card.waitFor();
  await card.getByRole('button', { name: 'Begin' }).click();
  await card.waitFor({ state: 'detached' });
};
