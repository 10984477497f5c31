// What several tests do.
import assert from 'node:assert/strict';

/** The East map of the Ardennes for two at this screen. */
export async function hotseat(person, url, options) {
  const player = await person(options);
  await player.sitDown(url, 'ardennes44', 'six_turn');
  return player;
}

/** A table of Panzer for two at this screen, with advice. */
export async function duel(person, url, scenario, options) {
  const player = await person(options);
  await player.sitDown(url, 'panzer', scenario);
  return player;
}

/** A saved game is open in the lobby's dialog: all seats at this screen. */
export async function openSaved(player) {
  await player.page.getByRole('dialog', { name: 'Who sits where?' }).locator('select').nth(1).selectOption('hotseat');
  await player.page.getByRole('button', { name: 'Open the table' }).click();
  await player.atTable();
}

/** What a person in a hurry answers. */
export const hurry = (action) => (/^(deploy|done|no |hold|stay|pass|give way|engage|accept)/.test(action) ? 1 : 0);

/** Two people at two browsers, the second by the link of the first; both are at the table. */
export async function pair(person, url, fill = async () => {}) {
  const host = await person();
  await host.open(`${url}/#/new/ardennes44/six_turn`);
  await host.page.locator('.seat select').nth(1).selectOption('invite');
  await fill(host);
  await host.page.getByRole('button', { name: 'Set up the table' }).click();
  const link = await host.page.locator('.sent input').inputValue();
  await host.page.getByRole('button', { name: 'Continue' }).click();
  await host.atTable();
  const guest = await person();
  await guest.page.goto(link);
  await guest.page.getByRole('button', { name: 'Sit down here' }).click();
  await guest.atTable();
  for (const player of [host, guest]) await player.until(() => window.grognard.table.now.status === 'playing');
  return { host, guest, link };
}

/** Fight on until a loss, a retreat and an advance were asked for; `answer` makes the first of each that is offered on the map. */
export async function fightOn(player, answer) {
  const wanted = new Set(['prompt.loss', 'prompt.retreat', 'prompt.advance']);
  for (let i = 0; i < 14 && wanted.size; i++) {
    const key = await player.fast({ until: [...wanted], most: 900, attack: true });
    assert.ok(key, `fights enough came to see ${[...wanted]}`);
    // What may be chosen on the map comes a moment after the question.
    await player.page.waitForFunction(() => window.grognard.flow.direct.length > 0, null, { timeout: 10_000 }).catch(() => undefined);
    const before = await player.state();
    const action = before.direct.find((a) => /^(lose|retreat|advance)/.test(a));
    assert.ok(action, `${key} offers something on the map: ${before.direct}`);
    await answer(key, before, action);
    wanted.delete(key);
  }
  assert.deepEqual([...wanted], []);
}

/** The page's own words say everything: no message key stands in the page. */
export function bareKeys(player) {
  return player.page.evaluate(() => {
    const found = document.body.innerText.match(/\b(prompt|phase|log|action|way|mode|side|slot|choice|roll|no|state|marker|panel|terrain|symbol|badge|sheet|overlay|scenario|option|box)\.[a-z_]+/g);
    return found ? [...new Set(found)] : [];
  });
}
