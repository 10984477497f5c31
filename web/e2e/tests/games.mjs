// The first turns of Holland '44, of Air & Armor: Würzburg and of Panzer's Advanced Game at the table.
import assert from 'node:assert/strict';
import { byKeys, offers, pressed } from '../keyboard.mjs';
import { all, decide } from '../pupil.mjs';
import { bareKeys } from './common.mjs';

/** A table for two at this screen. */
async function table(person, url, game, scenario, options) {
  const player = await person(options);
  await player.sitDown(url, game, scenario);
  return player;
}

/** What stands on the buttons that can be pressed. */
const buttons = (player) => player.page.locator('.bar .btn').allInnerTexts();

/** Holland: what may be attacked is marked although a unit, which could now only break down, was selected when the phase before ended; the
 * two banks to which an Engineer may set up a ferry have a button each, and the ferry is on the map. */
export const hollandTargets = async ({ url, person, shot }) => {
  const player = await table(person, url, 'holland44', 'eindhoven', { dice: 1 });
  await player.fast({ until: ['prompt.movement'] });
  const act = (action) => player.page.evaluate((text) => window.grognard.table.act(0, text), action);
  await act('move br-30-corps-eng 1304');
  await player.settle();
  await player.selectMover();
  await player.done();
  const { asked, selected, places } = await player.state();
  assert.equal(asked.key, 'prompt.combat');
  assert.deepEqual(selected, [], 'the selection hides no target');
  assert.ok(places.includes('1605'), `Kerutt can be attacked: ${places}`);
  await shot(player, 'holland-targets-1440');
  while (!(await player.state()).asked?.subjects || (await player.state()).turn < 2 || (await player.state()).asked.seat !== 0) await player.fast({ decisions: 1 });
  assert.equal((await player.state()).asked.key, 'prompt.bridge');
  await player.pickUnit('br-30-corps-eng');
  const ferries = (await buttons(player)).filter((text) => text.includes('ferry'));
  assert.equal(ferries.length, 2, `a button for each bank: ${ferries}`);
  await player.choose('ferry br-30-corps-eng 1304/1405');
  const markers = await player.page.evaluate(() => window.grognard.table.view.markers.filter((m) => m.kind === 'ferry').map((m) => m.at));
  assert.deepEqual(markers, ['1304/1405']);
};

/** Holland: the pool lies open, the map goes where a unit may land, the odds stand there, and bridges and supply can be seen. */
export const hollandDrop = async ({ url, person, shot }) => {
  const player = await table(person, url, 'holland44', 'short_game');
  await player.until(() => window.grognard.flow.ask !== null);
  const pool = player.page.locator('.row.current', { hasText: 'Airlanding pool' });
  await pool.waitFor({ timeout: 20_000 });
  assert.match(await pool.innerText(), /\d+ can act/);
  await player.press('l');
  await player.page.locator('.findings', { hasText: 'wait' }).waitFor({ timeout: 20_000 });
  await player.press(' ');
  await player.until(() => (window.grognard.flow.current?.targets.size ?? 0) > 0);
  const before = await player.state();
  assert.ok(await player.page.evaluate((at) => window.grognard.handle().camera.sees(window.grognard.handle().geometry.locate(at)), before.targets[0]), 'the landing hex is in sight');
  const at = await player.pointOf(before.targets[0]);
  await player.page.mouse.move(at.x, at.y);
  await player.page.locator('.tip', { hasText: 'Landed whole, not scattered' }).waitFor({ timeout: 10_000 });
  await shot(player, 'holland-drop-1440');
  await player.click(before.targets[0]);
  await player.waitDecision(before.decision);
  await player.press('l');
  for (const [key, words] of [['g', 'Bridges:'], ['s', 'corridor']]) {
    await player.press(key);
    await player.page.locator('.findings', { hasText: words }).waitFor({ timeout: 20_000 });
    await player.press(key);
  }
  assert.deepEqual(await bareKeys(player), []);
};

/** Decide in the words of the notation; the curtain between the seats is opened. */
async function act(player, action) {
  const { decision, asked } = await player.state();
  await decide(player, { seat: asked.seat, action });
  await player.waitDecision(decision);
  const curtain = player.page.locator('.curtain .btn');
  if (await curtain.count()) await curtain.first().click();
  await player.until(() => window.grognard.flow.ask !== null);
}

/** On to a side's Movement Phase of a turn, doing nothing. */
async function toMovement(player, turn, seat) {
  for (let i = 0; i < 40; i++) {
    const { asked, turn: now } = await player.state();
    if (now === turn && asked?.seat === seat && asked.key === 'prompt.movement') return;
    await player.fast({ decisions: 1 });
  }
  throw new Error(`no Movement Phase of seat ${seat} in turn ${turn}: ${JSON.stringify(await player.state())}`);
}

/** Holland on the Lower Rhine: a detachment takes the ferry, a bridge goes up, an Unknown unit is turned over, all by keys. */
export const hollandRiver = async ({ url, person, shot }) => {
  const player = await table(person, url, 'holland44', 'arnhem');
  await player.until(() => window.grognard.flow.ask !== null);
  const keys = async (action) => byKeys(player, (await offers(player, 60)).find((o) => o.action === action) ?? assert.fail(`${action} is not offered`));
  await act(player, 'deploy');
  await act(player, 'move br-7kosb-1a-1-b 6218 6219');
  await toMovement(player, 1, 1);
  await act(player, 'move de-krafft 6420 6520 tactical');
  await toMovement(player, 2, 0);
  await keys('breakdown br-7kosb-1a-1-b');
  const at = (unit) => player.page.evaluate((id) => window.grognard.table.piece(id)?.at ?? null, unit);
  assert.equal(await at('br-airborne-breakdown-1'), '6219');
  await keys('move br-airborne-breakdown-1 6119 tactical');
  assert.equal(await at('br-airborne-breakdown-1'), '6119', 'over the Rhine by the ferry');
  await toMovement(player, 3, 0);
  await act(player, 'move br-2-1p-1 6221 extended');
  assert.equal((await player.state()).asked.key, 'prompt.demolition');
  await player.page.getByText('67%').first().waitFor({ timeout: 10_000 });
  await keys('blow 6120/6221');
  await player.until(() => window.grognard.flow.ask?.seat === 0);
  if ((await player.state()).asked.key === 'prompt.halted') await act(player, 'halt');
  const unknown = () => player.page.evaluate(() => window.grognard.table.ask(0, 'unknown'));
  assert.ok((await unknown()).includes('6122'));
  await act(player, 'move br-airborne-breakdown-1 6120 6121');
  assert.ok(!(await unknown()).includes('6122'), 'the Unknown unit beside it is turned over');
  await player.pointOf('6122');
  await shot(player, 'holland-river-1440');
};

/** Holland: in the morning the weather of the whole day is told. */
export const hollandSky = async ({ url, person, shot }) => {
  const player = await table(person, url, 'holland44', 'campaign');
  await player.until(() => window.grognard.flow.ask !== null);
  await toMovement(player, 3, 0);
  const said = await player.page.evaluate(() => window.grognard.table.view.turn.conditions.map((c) => window.grognard.table.tell(c)));
  assert.match(said.join(), /^(Clear|Cloudy|Overcast),PM: (Clear|Cloudy|Overcast)$/);
  for (const words of said) {
    const chip = player.page.locator('li', { hasText: new RegExp(`^${words}$`) }).first();
    assert.ok((await chip.getAttribute('title'))?.length > 10, `${words} says what it means`);
  }
  await shot(player, 'holland-sky-1440');
};

/** Activate what can be activated and commit the first attack, as far as its movement. */
async function attackWith(player) {
  for (let i = 0; i < 12 && (await player.state()).asked?.key !== 'prompt.movement'; i++) {
    const { decision } = await player.state();
    await player.page.evaluate(async () => {
      const { table } = window.grognard;
      const [ask] = table.now.asks;
      const options = (await Promise.all(ask.subjects.map((subject) => table.options(ask.seat, subject)))).flat();
      const filled = (o) => o.template?.parts.map((p) => [p.words, ...(p.kind === 'words' ? [] : p.suggested)].join(' ')).join(' ').trim() ?? o.action;
      const option = [/^hasty/, /^activate/, /^lead/, /^done/].map((wanted) => options.find((o) => wanted.test(o.action))).find(Boolean) ?? options[0];
      await table.act(ask.seat, filled(option));
    });
    await player.waitDecision(decision);
    const curtain = player.page.locator('.curtain .btn');
    if (await curtain.count()) await curtain.first().click();
    await player.until(() => window.grognard.flow.ask !== null);
  }
}

/** Würzburg: a plan is chosen in words, lies on the counters of its regiment, and is hidden from the other side. */
export const wurzburgPlan = async ({ url, person, shot }) => {
  const player = await table(person, url, 'wurzburg', 'first-contact');
  await player.until(() => window.grognard.flow.ask !== null);
  await player.press(' ');
  const hasty = player.page.locator('.bar .btn', { hasText: 'Hasty Attack' });
  await hasty.first().waitFor({ timeout: 20_000 });
  const { decision, selected } = await player.state();
  await hasty.first().click();
  await player.waitDecision(decision);
  const states = await player.page.evaluate((id) => window.grognard.table.piece(id).states, selected[0]);
  assert.ok(states.includes('command_hasty_attack'), states.join());
  await player.press('c');
  await player.until(() => window.grognard.overlays.on.has('command'));
  await shot(player, 'wurzburg-plan-1440');
  await player.press('c');
  await player.otherSeat(0);
  await player.page.locator('.curtain .btn').first().click().catch(() => undefined);
  await player.until(() => window.grognard.flow.ask?.seat === 1);
  const seen = await player.page.evaluate(() => window.grognard.table.view.pieces.flatMap((p) => p.states ?? []).filter((s) => s.startsWith('command_')));
  assert.ok(seen.length > 0 && seen.every((state) => state === 'command_hidden'), [...new Set(seen)].join());
  // Where play stands is told beside the map, and every button says words.
  await player.page.getByRole('tab', { name: 'Tracks' }).click();
  await player.page.getByRole('tab', { name: 'Where play stands' }).waitFor();
  await attackWith(player);
  await player.press(' ');
  await player.until(() => window.grognard.flow.ways.length > 0);
  for (const text of await buttons(player)) assert.doesNotMatch(text, /\b\d+ of\b|^move\b|-hq\b/, text);
};

/** Panzer's Advanced Game: a Command to one unit is not said to be together, and no arrow stands for something else. */
export const panzerAdvanced = async ({ url, person }) => {
  const player = await table(person, url, 'panzer', 'picket-at-the-well');
  await player.until(() => window.grognard.flow.ask !== null);
  await player.press(' ');
  await player.page.locator('.bar [data-action^="command"]').first().waitFor({ timeout: 20_000 });
  for (const text of await buttons(player)) assert.doesNotMatch(text, /together/, text);
  const words = await player.page.evaluate(async () => (await fetch('/api/catalogue/panzer/messages/en')).json());
  for (const key of ['slot.sources', 'slot.shells', 'slot.sheaf', 'choice.linear_1', 'sheet.sheaf']) assert.ok(words[key], key);
  // An overlay without anything to show says so.
  await player.press('j');
  await player.page.locator('.findings', { hasText: 'Nothing to show at the moment.' }).waitFor({ timeout: 10_000 });
  assert.deepEqual(await bareKeys(player), []);
};

/** An aircraft enters by a click on the edge and a word in each row, not by one button of a hundred; it is drawn where it flies. */
export const panzerAir = async ({ url, person, shot }) => {
  const player = await table(person, url, 'panzer', 'tebaga-gap');
  await player.page.evaluate(() => sessionStorage.setItem(`grognard.open.${window.grognard.table.id}`, '1'));
  for (let i = 0; i < 20 && (await player.state()).asked?.key !== 'prompt.air'; i++) {
    const options = await all(player);
    await decide(player, options.find((o) => /^(done|hold|no )/.test(o.action)) ?? options[0]);
  }
  const wanted = (await player.state()).direct.find((action) => /^fly kitty2 at \d[K-P]0 s fast high$/.test(action));
  const place = wanted.split(' ')[3];
  const { decision } = await player.state();
  await player.click(place);
  const rows = player.page.locator('.grid [role=radiogroup]');
  assert.ok((await rows.count()) >= 4, 'aircraft, heading, speed, altitude');
  assert.ok((await player.page.locator('.bar .btn').count()) < 24, 'a few buttons');
  await pressed(player, wanted);
  await player.waitDecision(decision);
  const marker = await player.page.evaluate(() => window.grognard.table.live.markers.find((m) => m.kind === 'aircraft'));
  assert.equal(marker?.at, place);
  assert.match(marker.text, / s$/);
  await shot(player, 'panzer-air-1440');
};
