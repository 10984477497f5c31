// Fights and the other side's turn as they are staged, and the traps that once were there.
import assert from 'node:assert/strict';
import { hotseat } from './common.mjs';

/** An attack is shown: arrows, dice by name, the result in words, pinned in the log afterwards; a key skips it. */
export const staged = async ({ url, person, shot }) => {
  const player = await hotseat(person, url, { prefs: { pace: 'quick' } });
  await player.page.waitForFunction(() => window.grognard.handle().mapComplete(), null, { timeout: 60_000 });
  await player.fast({ until: ['prompt.attacks'] });
  const best = await player.bestAttack();
  assert.ok(best, 'somebody can attack');
  await player.page.evaluate((target) => window.grognard.handle().show(target), best.target);
  await player.page.evaluate((action) => window.grognard.table.act(window.grognard.table.now.asks[0].seat, action), best.action);
  await player.until(() => window.grognard.stage.fight !== null);
  const begun = await player.page.evaluate(() => window.grognard.stage.fight);
  assert.deepEqual([...begun.attackers].sort(), [...best.units].sort());
  assert.ok(begun.strikes.length > 0 && begun.strikes.every((s) => s.to === best.target), 'arrows lead to the target');
  // Whatever is asked meanwhile, until the dice have fallen.
  for (let i = 0; i < 12 && !(await player.page.evaluate(() => window.grognard.stage.outcome)); i++) await player.fast({ decisions: 1 });
  const card = player.page.locator('.stage');
  await card.locator('.result').waitFor({ timeout: 10_000 });
  // All at once: the card stays for a moment only.
  const told = await card.evaluate((e) => ({ roll: e.querySelector('.roll')?.innerText, code: e.querySelector('.result strong')?.innerText, words: e.querySelector('.words')?.innerText }));
  await shot(player, 'stage-1440');
  assert.match(told.roll ?? '', /^(Combat|Defensive artillery|Bridge)/, 'dice have names');
  assert.ok(told.code?.length > 0 && told.words.length > told.code.length, JSON.stringify(told));
  await player.page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached', timeout: 5000 });
  assert.match(await player.page.locator('.pin').innerText(), /against/, 'the outcome stays in the log');

  // The report of a moment far from the end is not empty, and a filter leaves what belongs to it.
  await player.fast({ decisions: 60 });
  await player.press('l');
  await player.page.evaluate(() => window.grognard.page.moment(2));
  await player.until(() => window.grognard.table.past?.decision === 2);
  assert.ok((await player.page.locator('.log li:not(.empty)').count()) > 0, 'the report of the past');
  await player.page.evaluate(() => window.grognard.page.escapeReplay());
  await player.page.getByRole('button', { name: 'Combat', exact: true }).click();
  await player.page.waitForTimeout(200);
  const lines = await player.page.locator('.log .l1').allInnerTexts();
  assert.ok(lines.length > 0 && lines.every((text) => !/ ended in /.test(text)), lines.join('; '));
};

/** Whoever wants less motion is told of a fight as everybody else is, but nothing moves. */
export const calmFight = async ({ url, person, shot }) => {
  const player = await person({ prefs: { pace: 'quick' } });
  await player.page.emulateMedia({ reducedMotion: 'reduce' });
  await player.sitDown(url, 'ardennes44', 'st_vith');
  await player.fast({ until: ['prompt.attacks'] });
  const { action } = await player.bestAttack();
  await player.page.evaluate(() => {
    window.moving = new Set();
    const look = () => {
      // What lasts less than a frame is not seen.
      for (const one of document.getAnimations()) if (one.playState === 'running' && one.effect.getTiming().duration > 16) window.moving.add(`${one.animationName ?? one.transitionProperty} of ${one.effect.target.className}`);
      if (window.grognard.happenings.motions.length) window.moving.add('counters');
      requestAnimationFrame(look);
    };
    look();
  });
  await player.page.evaluate((words) => window.grognard.table.act(window.grognard.table.now.asks[0].seat, words), action);
  for (let i = 0; i < 12 && !(await player.page.evaluate(() => window.grognard.stage.fight?.result)); i++) await player.fast({ decisions: 1 });
  const card = player.page.locator('.stage');
  await card.locator('.result').waitFor({ timeout: 10_000 });
  assert.match(await card.innerText(), /\d+ against \d+/);
  await shot(player, 'stage-calm-1440');
  await card.waitFor({ state: 'detached', timeout: 15_000 });
  assert.deepEqual(await player.page.evaluate(() => [...window.moving]), []);
};

/** The computer's turn can be followed and skipped; afterwards a card says what changed. */
export const otherTurn = async ({ url, person, shot }) => {
  const player = await person({ prefs: { pace: 'slow' } });
  await player.open(`${url}/#/new/ardennes44/st_vith`);
  await player.page.locator('.seat').first().locator('select').first().selectOption('bot');
  await player.page.locator('.seat').nth(1).locator('select').first().selectOption('me');
  await player.page.getByRole('button', { name: 'Set up the table' }).click();
  await player.atTable();
  const bar = player.page.getByRole('toolbar', { name: 'The other side’s turn' });
  await bar.waitFor({ timeout: 60_000 });
  await player.until(() => window.grognard.pacer.waiting.length > 2, null, 60_000);
  await bar.getByRole('button', { name: 'Pause' }).click();
  const { decision } = await player.state();
  await player.page.waitForTimeout(1500);
  assert.equal((await player.state()).decision, decision, 'it is paused');
  await bar.getByRole('button', { name: 'Next' }).click();
  await player.until((d) => window.grognard.table.now.decision === d + 1, decision);
  await shot(player, 'other-turn-1440');
  await player.page.keyboard.press('Escape');
  await player.until((d) => window.grognard.table.now.decision > d + 2, decision);
  assert.equal(await player.page.evaluate(() => window.grognard.pacer.waiting.length), 0);
  // Until one's own turn: what is asked on the way is answered, the rest is skipped.
  for (let i = 0; i < 300; i++) {
    const now = await player.page.evaluate(() => (window.grognard.pacer.skip(), { asked: window.grognard.flow.ask?.prompt.message.key, seat: window.grognard.table.view.turn.seat }));
    if (now.asked === 'prompt.movement' && now.seat === 1) break;
    if (now.asked) await player.fast({ decisions: 1, while: true });
    else await player.page.waitForTimeout(150);
  }
  // The first turn has nothing to compare with: the second has.
  await player.page.evaluate(() => window.grognard.news.look(1));
  for (let i = 0; i < 400; i++) {
    const now = await player.page.evaluate(() => (window.grognard.pacer.skip(), { asked: window.grognard.flow.ask?.prompt.message.key, card: window.grognard.news.card !== null }));
    if (now.card) break;
    if (now.asked) await player.fast({ decisions: 1, while: true });
    else await player.page.waitForTimeout(150);
  }
  const card = player.page.locator('.changes');
  await player.page.evaluate(() => window.grognard.stage.close());
  await card.waitFor({ timeout: 10_000 });
  assert.match(await card.innerText(), /Moved/);
  const [over, zoom] = [await card.boundingBox(), await player.page.locator('.zoom').boundingBox()];
  assert.ok(over.x + over.width <= zoom.x || over.y >= zoom.y + zoom.height, `the card leaves the zoom buttons free: ${JSON.stringify({ over, zoom })}`);
  // What the others decide does not close it; acting does.
  await player.page.evaluate(() => window.grognard.news.look(1));
  assert.equal(await card.count(), 1);
  await shot(player, 'changes-1440');
};

/** Keys work wherever no text is typed: after a click on a button, without the board in focus, in a sheet. */
export const keysEverywhere = async ({ url, person }) => {
  const player = await hotseat(person, url);
  await player.fast({ until: ['prompt.movement'] });
  const scale = () => player.page.evaluate(() => window.grognard.handle().camera.scale);
  await player.page.evaluate(() => document.activeElement?.blur());
  const before = await scale();
  await player.press('+');
  assert.ok((await scale()) > before, '+ comes nearer');
  await player.press('0');
  assert.ok((await scale()) < before, '0 shows the whole map');
  // A button that was clicked does not keep the keys to itself.
  await player.page.getByRole('tab', { name: 'Tracks' }).click();
  await player.press(' ');
  assert.equal((await player.state()).selected.length, 1, 'Space takes the next unit');
  await player.press('Escape');

  // Enter in the sheet attacks, also with a token in focus; Space is for the token.
  await player.fast({ until: ['prompt.attacks'] });
  const best = await player.bestAttack();
  await player.click(best.target);
  await player.until(() => window.grognard.flow.draft !== null);
  await player.fillSlots();
  await player.until(() => window.grognard.flow.draft?.verdict === 'legal');
  const { decision } = await player.state();
  await player.page.locator('[data-slot] [aria-pressed="true"]').first().focus();
  await player.page.keyboard.press('Enter');
  await player.until((d) => window.grognard.table.now.decision > d, decision);
};
