// Languages, keyboard, telephone, tablet, rule cards, the curtain.
import assert from 'node:assert/strict';
import { bareKeys, hotseat } from './common.mjs';

export const language = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  await player.fast({ until: ['prompt.movement'] });
  await player.selectMover();
  const english = await player.page.locator('.prompt').innerText();
  const place = await player.page.evaluate(() => window.grognard.table.board.cells.find((c) => /^St\.? ?Vith$|^St-Vith$|^Clervaux$/.test(c.name ?? ''))?.id);
  assert.ok(place, 'a well-known town is on the map');
  const tongues = [
    ['한국어', 'ko', /[가-힣]/],
    ['日本語', 'ja', /[ぁ-んァ-ヶ一-龯]/],
  ];
  for (const [name, code, script] of tongues) {
    await player.page.locator('.tools .icon').last().click();
    await player.page.getByRole('button', { name }).click();
    // Words, letters and a map in that language come from a program that may be busy.
    await player.until((c) => document.documentElement.lang === c && window.grognard.table.language === c, code, 60_000);
    await player.page.keyboard.press('Escape');
    const prompt = await player.page.locator('.prompt').innerText();
    assert.notEqual(prompt, english);
    assert.match(prompt, script);
    // The selection's panel, the buttons, the report and the town speak it, too.
    for (const sel of ['.bar', 'aside .scroll', '.log', '.turn']) assert.match(await player.page.locator(sel).first().innerText(), script, `${sel} in ${code}`);
    assert.match(await player.page.evaluate((id) => window.grognard.table.placeName(id), place), script);
    assert.deepEqual(await bareKeys(player), [], `keys without words in ${code}`);
    await shot(player, `table-${code}-1440`);
  }
  // A town is found by the letters of the old maps, too.
  await player.press('Escape');
  await player.press('g');
  await player.page.keyboard.type('Viels');
  await player.page.keyboard.press('Enter');
  await player.until(() => window.grognard.page.flash !== null);
};

export const keyboard = async ({ url, person }) => {
  const player = await person();
  await player.open(`${url}/#/`);
  await player.page.getByRole('button', { name: 'Play now' }).first().focus();
  await player.page.keyboard.press('Enter');
  await player.page.getByRole('button', { name: 'Friend at this screen' }).first().focus();
  await player.page.keyboard.press('Enter');
  await player.atTable();
  await player.fast({ until: ['prompt.movement'] });
  const s = await player.selectMover();
  // Walk with the arrows until the keyboard stands on a hex that can be reached, and choose it.
  const spoken = () => player.page.evaluate(() => document.querySelector('.spoken')?.textContent ?? '');
  const reached = () => player.page.evaluate(() => window.grognard.flow.current.targets.has(window.grognard.page.focus));
  const from = await player.page.evaluate(() => window.grognard.page.focus);
  let found = false;
  for (const key of ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowLeft', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown']) {
    await player.press(key);
    if ((found = await reached())) break;
  }
  assert.ok(found, `a hex near ${from} can be reached`);
  assert.match(await spoken(), /movement points left/, 'what is left is spoken');
  await player.page.keyboard.press('Enter');
  await player.waitDecision(s.decision);
  await player.press('?');
  await player.page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await player.press('Escape');
  assert.equal(await player.page.getByRole('dialog', { name: 'Keys' }).count(), 0);
  // An overlay at a key, and away again.
  await player.press('z');
  await player.until(() => window.grognard.overlays.paint.overlays.length > 0);
  await player.press('z');
  await player.until(() => window.grognard.overlays.paint.overlays.length === 0);
  // Go to a town by its name.
  await player.press('g');
  await player.page.keyboard.type('Viels');
  await player.page.keyboard.press('Enter');
  await player.until(() => window.grognard.page.flash !== null);
};

/** A rule without a card of its own shows its chapter's; the cards are searchable. */
export const rules = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  await player.page.evaluate(() => (window.grognard.page.rule = '10.3'));
  const card = player.page.locator('.rulecard');
  await card.waitFor();
  assert.match(await card.locator('h3').innerText(), /10/);
  assert.ok((await card.locator('p').first().innerText()).length > 20, 'it says something');
  await player.page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached' });
  await player.open(`${url}/#/rules/ardennes44`);
  const cards = player.page.locator('main article');
  await cards.first().waitFor();
  const all = await cards.count();
  await player.page.getByRole('searchbox').fill('retreat');
  await player.page.waitForTimeout(100);
  const some = await cards.count();
  assert.ok(some > 0 && some < all, `${some} of ${all} cards speak of retreats`);
  for (const text of await cards.allInnerTexts()) assert.match(text, /retreat/i);
  await player.page.getByRole('searchbox').fill('10.3');
  await cards.first().waitFor();
  assert.match(await cards.first().innerText(), /^10/);
  await shot(player, 'rules-1440');
};

/** Where something is hidden the table is handed over behind a curtain; where nothing is, it is not in the way. */
export const curtain = async ({ url, person, shot }) => {
  const open = await hotseat(person, url);
  await open.fast({ until: ['prompt.disengage'] });
  const seat = (await open.state()).asked.seat;
  await open.otherSeat(seat);
  assert.equal(await open.page.locator('.curtain').count(), 0, 'nothing is hidden: no curtain');

  const player = await person();
  // Fuel is rolled for from turn 7 on (6.1), so six turns offer no dumps.
  await player.open(`${url}/#/new/ardennes44/eight_turn`);
  const dumps = player.page.getByLabel('Fuel dumps');
  await dumps.waitFor({ state: 'attached' });
  if (!(await dumps.isVisible())) await player.page.locator('summary', { hasText: 'in use' }).click(); // a long list of options is folded
  await dumps.check();
  await player.page.locator('.seat select').nth(1).selectOption('hotseat');
  await player.page.getByRole('button', { name: 'Set up the table' }).click();
  await player.atTable();
  await player.fast({ until: ['prompt.disengage'] });
  const first = (await player.state()).asked.seat;
  const looked = () => player.page.evaluate(() => window.grognard.flow.stack);
  await player.click(await player.at((await player.state()).units[0]));
  assert.notEqual(await looked(), null);
  await player.otherSeat(first);
  const cloth = player.page.locator('.curtain');
  await cloth.waitFor();
  assert.equal(await looked(), null, 'where the other side looked is forgotten');
  await shot(player, 'curtain-1440');
  // It hides the table, and no key reaches what is behind it.
  const decision = (await player.state()).decision;
  await player.page.keyboard.press('d');
  await player.page.keyboard.press('d');
  assert.equal((await player.state()).decision, decision);
  assert.equal(await player.page.evaluate(() => document.elementFromPoint(innerWidth / 2, innerHeight / 3)?.closest('.curtain') !== null), true);
  await cloth.getByRole('button').first().click();
  assert.equal(await cloth.count(), 0);
};

export const phone = async ({ url, person, shot }) => {
  const player = await hotseat(person, url, { size: [390, 844], touch: true, scale: 2 });
  await player.fast({ until: ['prompt.movement'] });
  const unit = (await player.state()).units[0];
  await player.click(await player.at(unit));
  await player.page.waitForTimeout(300);
  await shot(player, 'table-390');
  assert.ok((await player.state()).selected.length > 0, 'a tap selects');
  await player.page.getByRole('button', { name: 'Battle report' }).click();
  await player.page.locator('.sheet').waitFor();
  await shot(player, 'report-390');
  const wide = await player.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(wide, false, 'nothing is wider than the screen');
};

export const tablet = async ({ url, person, shot }) => {
  const player = await hotseat(person, url, { size: [1024, 768], prefs: { theme: 'dark' } });
  await player.fast({ until: ['prompt.movement'] });
  await player.selectMover();
  await player.press('z');
  for (const side of ['German', 'Allied']) await player.page.locator('.findings .key', { hasText: side }).waitFor({ timeout: 10_000 });
  await shot(player, 'table-1024-dark');
  const dark = await player.page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(dark, 'dark');
};
