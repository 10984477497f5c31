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
