// Air & Armor: Würzburg at the table: reconnaissance with its chances, the sheet of a fire, the lesson to its end.
import assert from 'node:assert/strict';
import { byKeys, offers } from '../keyboard.mjs';
import { bareKeys } from './common.mjs';

/** A loaded machine takes its time. */
const PATIENCE = 60_000;

async function table(person, url, scenario, options) {
  const player = await person(options);
  await player.open(`${url}/#/new/wurzburg/${scenario}`);
  await player.page.locator('.seat select').nth(1).selectOption('hotseat');
  await player.page.locator('button.primary').last().click();
  await player.atTable();
  await player.until(() => window.grognard.flow.ask !== null);
  return player;
}

/** What is offered now, forms filled as suggested. */
const offered = (player) =>
  player.page.evaluate(async () => {
    const { table } = window.grognard;
    const [ask] = table.now.asks;
    const filled = (o) => o.template?.parts.map((p) => [p.words, ...(p.kind === 'words' ? [] : p.suggested)].join(' ')).join(' ').trim() ?? o.action;
    // The server answers so many questions at once and no more.
    const lists = await Promise.all(ask.subjects.slice(0, 40).map((subject) => table.options(ask.seat, subject)));
    return { seat: ask.seat, key: ask.prompt.message.key, actions: lists.flat().map(filled) };
  });

async function openCurtain(player) {
  const curtain = player.page.locator('.curtain .btn');
  if (await curtain.count()) await curtain.first().click();
  await player.until(() => window.grognard.flow.ask !== null || window.grognard.table.status !== 'open' || window.grognard.table.now?.status === 'over', null, PATIENCE);
}

/** Play on until one of these questions: attacks are planned, committed and led up to their objective. */
async function fightTo(player, wanted, most = 120) {
  for (let i = 0; i < most; i++) {
    await openCurtain(player);
    const { seat, key, actions } = await offered(player);
    if (wanted.includes(key)) return key;
    const near = await player.page.evaluate((moves) => {
      const { table, handle } = window.grognard;
      const objective = table.view.markers.find((m) => m.kind === 'objective')?.at;
      if (!objective) return null;
      const { geometry } = handle();
      const far = (cell) => {
        const [a, b] = [geometry.locate(cell), geometry.locate(objective)];
        return Math.hypot(a.x - b.x, a.y - b.y);
      };
      const gains = moves.map((action) => {
        const [, unit, to] = action.split(' ');
        return { action, gain: far(table.piece(unit).at) - far(to) };
      });
      return gains.filter((g) => g.gain > 1).sort((a, b) => b.gain - a.gain)[0]?.action ?? null;
    }, key === 'prompt.movement' ? actions.filter((a) => /^move \S+ \d{4}$/.test(a)) : []);
    const first = (wish) => actions.find((a) => wish.test(a));
    const action = near ?? (key === 'prompt.movement' ? null : first(/^hasty .*objective/) ?? first(/^(activate|lead|stand|hold)/)) ?? first(/^done|^pass/) ?? actions[0];
    const { decision } = await player.state();
    await player.page.evaluate(([s, a]) => window.grognard.table.act(s, a), [seat, action]);
    await player.waitDecision(decision);
  }
  throw new Error(`never asked: ${wanted}`);
}

/** What is done in a hex is a choice in words; its chance stands there before; support points are listed. */
export const wurzburgRecon = async ({ url, person, shot }) => {
  const player = await table(person, url, 'bear-trap');
  const works = await player.page.evaluate(() => window.grognard.flow.ask.subjects.map((s) => s.split(' ').at(-1)).find((cell) => /^\d{4}$/.test(cell)));
  await player.click(works);
  await player.page.locator('.bar .btn', { hasText: 'Improved Position in' }).waitFor({ timeout: PATIENCE });
  await player.page.locator('[data-brief]', { hasText: 'Obstacle' }).waitFor({ timeout: PATIENCE });
  await fightTo(player, ['prompt.recon']);
  await player.settle();
  const target = await player.page.evaluate(() => {
    const { flow, table } = window.grognard;
    return [...flow.subjects.place.keys()].find((cell) => flow.isEnemyAt(cell) && table.cell(cell));
  });
  const at = await player.pointOf(target);
  await player.page.mouse.move(at.x - 90, at.y - 60);
  await player.page.mouse.move(at.x, at.y, { steps: 3 });
  await player.page.locator('.tip', { hasText: 'not acquired' }).waitFor({ timeout: PATIENCE });
  await shot(player, 'wurzburg-recon-1440');
  await player.click(target);
  const payers = player.page.locator('.bar [data-action^="recon "]');
  assert.ok((await payers.count()) > 1);
  for (const text of await payers.allInnerTexts()) assert.match(text, /^Reconnoiter /);
  const { decision } = await player.state();
  await payers.first().click();
  await player.waitDecision(decision);
  await player.page.getByRole('tab', { name: 'Tracks' }).click();
  await player.page.getByRole('tab', { name: 'Support' }).click();
  await player.page.locator('aside', { hasText: 'SAM Strength' }).waitFor({ timeout: PATIENCE });
  await shot(player, 'wurzburg-support-1440');
  assert.deepEqual(await bareKeys(player), []);
};

/** The sheet of a fire has every firing unit, and chances that sum to one; it is confirmed with a key. */
export const wurzburgFire = async ({ url, person, shot }) => {
  const player = await table(person, url, 'first-contact');
  const { seat } = await offered(player);
  await player.page.evaluate(async (s) => {
    await window.grognard.table.act(s, 'done');
  }, seat);
  const met = await fightTo(player, ['prompt.defensive_fire', 'prompt.offensive_fire', 'prompt.infiltration']);
  await player.settle();
  await player.until(() => window.grognard.flow.draft || window.grognard.flow.subjects.place.size > 0 || window.grognard.flow.direct.length > 0, null, PATIENCE);
  if (!(await player.state()).draft) {
    const { actions } = await offered(player);
    await player.click(actions.find((a) => a.startsWith('fire ')).split(' ')[1]);
  }
  await player.until(() => (window.grognard.flow.draft?.sheet?.chances.length ?? 0) > 0, null, PATIENCE);
  const { draft, decision } = await player.state();
  const keys = draft.sheet.lines.map((line) => line.label.key);
  for (const key of ['sheet.firer', 'sheet.total', 'sheet.effective', 'sheet.defense']) assert.ok(keys.includes(key), `${met}: ${keys}`);
  const all = draft.sheet.chances.reduce((sum, chance) => sum + chance.p, 0);
  assert.ok(Math.abs(all - 1) < 1e-6, JSON.stringify(draft.sheet.chances));
  await shot(player, 'wurzburg-fire-1440');
  assert.deepEqual(await bareKeys(player), []);
  await player.page.keyboard.press('Enter');
  await player.waitDecision(decision);
};

/** The lesson from its first step to its last: each is done as it says. */
export const wurzburgLesson = async ({ url, person, shot }) => {
  const player = await person();
  await player.open(`${url}/#/`);
  const entries = player.page.getByRole('button', { name: /Learn in ten/ });
  await entries.first().waitFor({ timeout: PATIENCE });
  const tour = player.page.locator('.tour');
  // The games are listed in the catalogue's order.
  const games = await player.page.evaluate(async () => (await (await fetch('/api/catalogue')).json()).map((game) => game.info.id));
  await entries.nth(games.indexOf('wurzburg')).click();
  await player.atTable();
  await tour.waitFor({ timeout: PATIENCE });
  assert.match(await tour.innerText(), /1 of 16/);
  const seen = [];
  for (let i = 0; i < 160 && (await tour.count()); i++) {
    await openCurtain(player);
    // A game that is over before the lesson shows its end first.
    const look = player.page.getByRole('button', { name: 'Look at the map' });
    if (await look.count()) await look.click();
    const deed = (await tour.getAttribute('data-deed')) ?? '';
    const text = await tour.innerText();
    const number = /(\d+) of 16/.exec(text)?.[1];
    if (seen.at(-1) !== number) {
      seen.push(number);
      if (['5', '10', '13'].includes(number)) await shot(player, `wurzburg-lesson-${number}`);
    }
    if (deed === 'zoom') {
      await player.page.keyboard.press('+');
      await player.page.keyboard.press('+');
    } else if (deed.startsWith('overlay:')) await player.press('c');
    else if (deed === 'select') await player.press(' ');
    // To win takes luck: that step is not waited for.
    else if (deed === '' || deed.startsWith('foe:')) await tour.getByRole('button').last().click();
    else if (deed === 'attack') {
      await player.settle();
      if (!(await player.state()).draft) {
        const { actions } = await offered(player);
        const fires = actions.find((a) => a.startsWith('fire '));
        if (fires) await player.click(fires.split(' ')[1]);
        await player.page.waitForTimeout(300);
      }
    } else {
      // A decision is wanted: the next one on the way to the fight.
      const { decision } = await player.state();
      if ((await player.state()).draft) await player.page.keyboard.press('Enter');
      else {
        const { seat, key, actions } = await offered(player);
        const planned = key === 'prompt.planning' && seen.at(-1) !== '5';
        const wish = key === 'prompt.planning' ? (planned ? /^done/ : /^plan \S+ hasty/) : null;
        if (wish) await player.page.evaluate(([s, a]) => window.grognard.table.act(s, a), [seat, actions.find((a) => wish.test(a))]);
        else await fightTo(player, [], 1).catch(() => undefined);
      }
      await player.waitDecision(decision).catch(() => undefined);
    }
    await player.page.waitForTimeout(120);
  }
  assert.equal(await tour.count(), 0, `the lesson ends: ${seen}`);
  assert.equal(seen[0], '1');
  assert.ok(seen.includes('16'), `steps: ${seen}`);
  assert.deepEqual(await bareKeys(player), []);
};

/** Where two people share the screen, the next one shows the table by the keyboard. */
async function liftCurtain(player) {
  const curtain = player.page.locator('.curtain .btn');
  if (!(await curtain.count())) return;
  await curtain.first().focus();
  await player.page.keyboard.press('Enter');
}

/** The first operation of a scenario without a mouse: activated, led, reconnoitered for, its form filled in, carried out. */
export const wurzburgKeys = async ({ url, person }) => {
  const player = await table(person, url, 'bear-trap');
  const made = [];
  for (let i = 0; i < 40 && !made.includes('prompt.movement'); i++) {
    await liftCurtain(player);
    await player.until(() => window.grognard.flow.ask !== null, null, PATIENCE);
    await player.settle();
    const { asked } = await player.state();
    const listed = await offers(player, 10);
    // Reconnaissance once will do.
    const wishes = [/^hasty /, ...(made.includes('prompt.recon') ? [] : [/^recon/]), /^activate/, /^lead/, /^done|^pass/];
    await byKeys(player, wishes.map((wish) => listed.find((o) => wish.test(o.action))).find(Boolean) ?? listed[0]);
    made.push(asked.key);
  }
  for (const key of ['prompt.maneuver', 'prompt.leads', 'prompt.recon', 'prompt.operations', 'prompt.movement']) assert.ok(made.includes(key), `${key}: ${made}`);
};

/** A fight without a mouse: planned, activated, led, committed, moved up, answered by the defender, fired with the sheet, and followed by an advance if the hex is cleared. */
export const wurzburgFightByKeys = async ({ url, person, shot }) => {
  const player = await table(person, url, 'first-contact');
  const made = [];
  const once = (key, wish) => (made.includes(key) ? [] : [wish]);
  const fought = () => made.includes('prompt.advance') || (made.includes('prompt.offensive_fire') && ['prompt.operations', 'prompt.maneuver'].includes(made.at(-1)));
  for (let i = 0; i < 60 && !fought(); i++) {
    const over = await player.page.evaluate(() => window.grognard.table.now?.status === 'over');
    assert.ok(!over, `over after ${made}`);
    await player.until(() => window.grognard.flow.ask !== null || document.querySelector('.curtain .btn'), null, PATIENCE);
    await liftCurtain(player);
    await player.until(() => window.grognard.flow.ask !== null, null, PATIENCE);
    await player.settle();
    const { asked } = await player.state();
    const listed = await offers(player, 14);
    // Toward the objective, until every unit that can be is beside it.
    const near = await player.page.evaluate((moves) => {
      const { table, handle } = window.grognard;
      const objective = table.view.markers.find((m) => m.kind === 'objective')?.at;
      if (!objective) return null;
      const { geometry } = handle();
      const far = (cell) => Math.hypot(geometry.locate(cell).x - geometry.locate(objective).x, geometry.locate(cell).y - geometry.locate(objective).y);
      const gains = moves.map((action) => ({ action, gain: far(table.piece(action.split(' ')[1]).at) - far(action.split(' ')[2]) }));
      return gains.filter((g) => g.gain > 1).sort((a, b) => b.gain - a.gain)[0]?.action ?? null;
    }, asked.key === 'prompt.movement' ? listed.map((o) => o.action).filter((a) => /^move \S+ \d{4}$/.test(a)) : []);
    // The Warsaw Pact attacks; NATO answers, and undertakes nothing of its own.
    const attacker = [...once(asked.key, /^plan \S+ (hasty|assault|reserve)/), /^hasty .*objective 2919$/, /^hasty .*objective/, /^activate/, /^lead/, /^go on/, /^advance/, /^call/, /^fire/];
    const wishes = [...(asked.seat === 0 ? attacker : [/^react/, /^call/, /^fire/, /^retreat/, /^stand/]), /^done|^pass|^hold/];
    const wanted = (near && listed.find((o) => o.action === near)) ?? (asked.key === 'prompt.movement' ? listed.find((o) => /^done/.test(o.action)) : wishes.map((wish) => listed.find((o) => wish.test(o.action))).find(Boolean)) ?? listed[0];
    if (asked.key === 'prompt.offensive_fire') await shot(player, 'wurzburg-keys-offensive-fire');
    await byKeys(player, wanted);
    made.push(asked.key);
  }
  for (const key of ['prompt.planning', 'prompt.maneuver', 'prompt.leads', 'prompt.operations', 'prompt.movement', 'prompt.offensive_fire']) {
    assert.ok(made.includes(key), `${key}: ${made}`);
  }
  // NATO was asked whether it fires, at the moving force or at those who came next to it.
  assert.ok(made.some((key) => ['prompt.infiltration', 'prompt.defensive_fire', 'prompt.call'].includes(key)), `${made}`);
};
