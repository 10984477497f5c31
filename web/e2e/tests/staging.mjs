// What is staged keeps its subject in sight, waits for nobody who answers, and plans are drawn as such.
import assert from 'node:assert/strict';
import { hotseat } from './common.mjs';

/** The card of a fight does not hide the hex it is about, and tells the column with its shifts. */
export const inSight = async ({ url, person, shot }) => {
  const player = await person({ prefs: { pace: 'slow' } });
  await player.sitDown(url, 'ardennes44', 'st_vith');
  await player.fast({ until: ['prompt.attacks'] });
  const best = await player.bestAttack();
  assert.ok(best, 'somebody can attack');
  // The target at the upper edge of the window, where the card will be.
  await player.page.evaluate((target) => {
    const { camera, geometry, redraw } = window.grognard.handle();
    const at = geometry.locate(target);
    camera.x = at.x;
    camera.y = at.y + 300 / camera.scale;
    camera.clamp();
    redraw();
  }, best.target);
  await player.page.evaluate((action) => window.grognard.table.act(window.grognard.table.now.asks[0].seat, action), best.action);
  for (let i = 0; i < 12 && !(await player.page.evaluate(() => window.grognard.stage.fight?.result)); i++) await player.fast({ decisions: 1 });
  const card = player.page.locator('.stage');
  await card.locator('.result').waitFor({ timeout: 10_000 });
  await shot(player, 'in-sight-1440');
  const told = await player.page.evaluate((target) => {
    const { fight } = window.grognard.stage;
    const box = document.querySelector('.stage').getBoundingClientRect();
    return { odds: fight.odds, y: window.grognard.handle().screen(target).y, bottom: box.bottom, text: document.querySelector('.stage').innerText };
  }, best.target);
  assert.ok(told.y > told.bottom, `the target at ${told.y} lies under the card, which ends at ${told.bottom}`);
  assert.ok(told.odds && told.odds.column, 'strengths and column are facts of the log');
  if (told.odds.shift) assert.match(told.text, /columns? (left|right)/);
};

/** Moves laid as a plan are drawn as such, and the odds are those of the planned position. */
export const planned = async ({ url, person, shot }) => {
  const player = await person();
  await player.sitDown(url, 'ardennes44', 'st_vith');
  await player.fast({ until: ['prompt.movement'] });
  const before = await player.state();
  await player.press('m');
  await player.selectMover();
  await player.click((await player.state()).targets[0]);
  await player.until(() => window.grognard.table.plan?.length === 1);
  for (let i = 0; i < 4 && (await player.state()).asked?.key !== 'prompt.attacks'; i++) {
    const laid = await player.page.evaluate(() => window.grognard.table.plan.length);
    await player.press('d');
    if (await player.page.evaluate(() => window.grognard.flow.warned !== null)) await player.press('d');
    await player.until((n) => window.grognard.table.plan.length > n, laid);
    await player.settle();
  }
  const [target] = (await player.state()).places;
  await player.click(target);
  await player.until(() => window.grognard.flow.draft !== null);
  await player.fillSlots();
  await player.until(() => window.grognard.flow.draft?.sheet?.leads?.length === 3);
  await shot(player, 'planned-1440');
  assert.equal((await player.page.evaluate(() => window.grognard.table.now.decision)), before.decision, 'nothing is sent');
  await player.press('Escape');
  await player.page.locator('[data-plan]').getByRole('button', { name: 'Discard' }).click();
  assert.equal(await player.page.evaluate(() => window.grognard.table.plan), null);
};

/** At a table with secrets a fight waits behind the curtain until it is opened. */
export const behindCurtain = async ({ url, person }) => {
  const player = await hotseat(person, url, { prefs: { pace: 'quick' } });
  const open = await player.page.evaluate(async () => {
    const { stage } = window.grognard;
    const line = { seq: 1, decision: 1, at: 0, entry: { seat: 0, level: 1, message: { key: 'log.attack', args: [] }, data: { kind: 'attack', target: 'E2125', units: [] } } };
    stage.hold(true);
    stage.take([line], window.grognard.table.view);
    stage.take([{ ...line, entry: { ...line.entry, data: { kind: 'combat', target: 'E2125', result: 'DR2' } } }], window.grognard.table.view);
    await new Promise((done) => setTimeout(done, 4000));
    const kept = stage.fight !== null;
    stage.hold(false);
    for (let waits = 0; stage.fight !== null && waits < 200; waits++) await new Promise((done) => setTimeout(done, 50));
    return { kept, gone: stage.fight === null };
  });
  assert.deepEqual(open, { kept: true, gone: true });
};

/** Sound is made, and only if it is on. */
export const audible = async ({ url, person }) => {
  for (const sound of [true, false]) {
    const player = await person({ prefs: { sound, pace: 'quick' } });
    await player.page.addInitScript(() => {
      window.heard = 0;
      for (const name of ['createBufferSource', 'createOscillator']) {
        const made = AudioContext.prototype[name];
        AudioContext.prototype[name] = function () {
          window.heard++;
          return made.call(this);
        };
      }
    });
    await player.sitDown(url, 'ardennes44', 'st_vith');
    await player.fast({ until: ['prompt.movement'] });
    await player.selectMover();
    const { decision, targets } = await player.state();
    await player.click(targets[0]);
    await player.waitDecision(decision);
    if (sound) await player.until(() => window.heard > 0);
    else assert.equal(await player.page.evaluate(() => window.heard), 0);
  }
};

/** Whoever is asked during the other side's turn answers at once, however slowly that turn is shown. */
export const answersAtOnce = async ({ url, person }) => {
  const player = await person();
  await player.sitDown(url, 'ardennes44', 'st_vith');
  await player.fast({ until: ['prompt.movement'] });
  // As after a long scene: a rest runs while this player is asked.
  const kept = await player.page.evaluate(() => {
    const { pacer } = window.grognard;
    pacer.busy = true;
    return pacer.waiting.length;
  });
  assert.equal(kept, 0);
  const m = await player.selectMover();
  await player.click(m.targets[0]);
  await player.waitDecision(m.decision);
  assert.equal(await player.page.evaluate(() => window.grognard.pacer.waiting.length), 0);
};

/** Dice do not lie on a card that hangs where they are shown: they fall while the other side's turn and its fire are told. */
export const diceClear = async ({ url, person, shot }) => {
  const player = await person({ prefs: { animate: true, pace: 'quick' } });
  const { page } = player;
  await player.enter(url);
  const id = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('grognard.token')}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ setup: { game: 'panzer', scenario: 'hafid-duel', edition: null, options: [] }, seats: [{ kind: 'me' }, { kind: 'bot', level: 'regular' }] });
    return (await (await fetch('/api/games', { method: 'POST', headers, body })).json()).game.id;
  });
  await page.goto(`${url}/#/table/${id}`);
  await player.atTable();
  // Looked at ten times a second: how often dice and a card were there together, and for how long at most one lay on the other.
  await page.evaluate(() => {
    window.seen = { together: 0, longest: 0 };
    let now = 0;
    setInterval(() => {
      const dice = document.querySelector('.tray')?.getBoundingClientRect();
      const cards = [...document.querySelectorAll('.stage, .changes, .orders')].map((card) => card.getBoundingClientRect());
      const beside = dice ? cards.filter((r) => r.left < dice.right && r.right > dice.left) : [];
      window.seen.together += beside.length > 0;
      now = beside.some((r) => r.top < dice.bottom && r.bottom > dice.top) ? now + 1 : 0;
      window.seen.longest = Math.max(window.seen.longest, now);
    }, 100);
  });
  let ordered = 0;
  for (let i = 0; i < 24; i++) {
    const { seen, over } = await page.evaluate(() => ({ seen: window.seen, over: window.grognard.table.now.status === 'over' }));
    if (over || seen.together > 25) break;
    await page.waitForFunction(() => window.grognard.flow.ask || window.grognard.table.now.status === 'over', null, { timeout: 20_000 });
    const { buttons, turn } = await player.state();
    const command = turn > ordered && buttons.find((action) => / overwatch$/.test(action));
    if (command) {
      await player.choose(command);
      ordered = turn;
    } else await player.fast({ decisions: 1, while: true });
    await page.waitForTimeout(900);
  }
  await shot(player, 'dice-clear-1440');
  const seen = await page.evaluate(() => window.seen);
  assert.ok(seen.together > 5, `dice beside a card: ${JSON.stringify(seen)}`);
  assert.ok(seen.longest < 4, `dice on a card: ${JSON.stringify(seen)}`);
};

/** Night is darker and bluer than day in both themes, whichever game it falls in. */
export const nightfall = async ({ url, person }) => {
  for (const theme of ['light', 'dark']) {
    const player = await person({ prefs: { theme } });
    await player.sitDown(url, 'holland44', 'eindhoven');
    await player.page.waitForFunction(() => window.grognard.handle().mapComplete(), null, { timeout: 60_000 });
    // The dark theme inverts the canvas: there a darker map is drawn lighter, and hues stay as they are.
    const seen = (night) =>
      player.page.evaluate(async (on) => {
        const { table, handle } = window.grognard;
        table.actual = { ...table.actual, turn: { ...table.actual.turn, mood: { night: on, overcast: false, ground: null } } };
        await new Promise((done) => setTimeout(done, 300));
        handle().redraw();
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const canvas = document.querySelector('[data-board] canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const sum = [0, 0, 0];
        for (let i = 0; i < data.length; i += 4 * 97) for (let k = 0; k < 3; k++) sum[k] += data[i + k];
        const [r, g, b] = sum.map((value) => (value / data.length) * 4 * 97);
        return { light: (r + g + b) / 3, blue: b - r };
      }, night);
    const [day, night] = [await seen(false), await seen(true)];
    assert.ok(night.blue > day.blue + 8, `${theme}: ${JSON.stringify({ day, night })}`);
    assert.ok(theme === 'dark' ? night.light > day.light : night.light < day.light - 20, `${theme}: ${JSON.stringify({ day, night })}`);
  }
};
