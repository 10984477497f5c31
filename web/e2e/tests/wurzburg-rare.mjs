// Air & Armor: Würzburg: positions that come seldom, set up by an overlay of the first scenario: gas, a Close Attack, bridges, the display, a March by keys.
import assert from 'node:assert/strict';
import { byKeys, offers } from '../keyboard.mjs';
import { bareKeys } from './common.mjs';

/** A loaded machine takes its time. */
const PATIENCE = 60_000;
const OPTIONS = ['overrun', 'close_attack', 'gas'];
const OVERLAY = `
[[scenario]]
id = "first-contact"
optional = ["overrun", "close_attack", "gas"]
left_out = []
turns = 6
area = ["2001-3434"]
[scenario.zone]
wp = ["2001-3434"]
nato = ["2601-3434"]
[scenario.side.WP]
pieces = ["4mrd-hq-for", "4mrd-dag", "4mrd-eng-a"]
sam = [6, 6, 6, 6, 6, 6]
off_map_cp = [2, 2, 2, 2, 2, 2]
off_map_rp = [4, 4, 4, 4, 4, 4]
points = { WP = { air = 6, adm = 2, bridging = 3, gas_persistent = 2 } }
ew_hqs = ["4mrd-hq-for"]
[scenario.side.NATO]
sam = [5, 5, 5, 5, 5, 5]
off_map_cp = [2, 2, 2, 2, 2, 2]
off_map_rp = [2, 2, 2, 2, 2, 2]
set_charges_from = 1
[scenario.setup]
at = [
    { piece = "3-3-m2-a", hex = "2516", steps = 2 },
    { piece = "3-3-m1-a", hex = "3017", steps = 2 },
    { piece = "3-3-hq", hex = "2819", steps = 1 },
    { piece = "3id-2-41", hex = "3117", steps = 3 },
    { piece = "24mrr-a", hex = "2417", steps = 3 },
    { piece = "24mrr-b", hex = "2416", steps = 3 },
    { piece = "24mrr-c", hex = "2316", steps = 3 },
    { piece = "4tr-a", hex = "2320", steps = 3 },
    { piece = "4mrd-hq-for", hex = "2218", steps = 1 },
    { piece = "4mrd-dag", hex = "2217", steps = 3 },
    { piece = "4mrd-eng-a", hex = "3113", steps = 1 },
]
[map.terrain]
town = ["2516"]
`;

/** A table of this position, with both sides at this screen. */
async function table(person, url) {
  const player = await person();
  await player.enter(url);
  await player.seat(url, 'games', () => ({ setup: { game: 'wurzburg', scenario: 'first-contact', edition: null, options: OPTIONS, overlay: OVERLAY } }), 'wurzburg', null);
  return player;
}

/** Decide as wished until one of these questions: each wish once, in their order where several fit; else what ends the question. */
async function onward(player, wanted, wishes = [], most = 60) {
  const open = [...wishes];
  for (let i = 0; i < most; i++) {
    const curtain = player.page.locator('.curtain .btn');
    if (await curtain.count()) await curtain.first().click();
    await player.until(() => window.grognard.flow.ask !== null, null, PATIENCE);
    await player.settle();
    const { asked, decision } = await player.state();
    if (wanted.includes(asked.key)) return;
    const used = await player.page.evaluate(
      async (patterns) => {
        const { table } = window.grognard;
        const [ask] = table.now.asks;
        const list = [];
        for (const subject of ask.subjects.slice(0, 40)) list.push(...(await table.options(ask.seat, subject)));
        const plain = list.filter((o) => !o.template || o.template.parts.every((p) => p.kind === 'words'));
        const fits = (p) => plain.find((o) => new RegExp(p).test(o.action));
        const wish = patterns.find(fits);
        await table.act(ask.seat, (wish ? fits(wish) : plain[0]).action);
        return wish;
      },
      [...open, '^activate', '^lead', '^hold', '^stand', '^done|^pass'],
    );
    if (open.includes(used)) open.splice(open.indexOf(used), 1);
    await player.waitDecision(decision);
  }
  throw new Error(`never asked: ${wanted}`);
}

const sum = (chances) => chances.reduce((all, chance) => all + chance.p, 0);

/** A Gas Strike by the mouse: its sheet tells what the gas does, no hits; then the zone lies on the map. */
export const wurzburgGas = async ({ url, person, shot }) => {
  const player = await table(person, url);
  const { page } = player;
  await onward(player, ['prompt.strike'], ['^recon 3017 by off-map', '^recon 3117 by off-map', '^recon 2819 by off-map']);
  // The dice are the same for every run.
  assert.ok(await page.evaluate(() => window.grognard.flow.subjects.place.has('2819')), 'the third attempt acquires the hex');
  await player.click('2819');
  await page.locator('[data-action="gas 2819 persistent by 4mrd-hq-for with 4mrd-dag"]').click();
  await player.until(() => (window.grognard.flow.draft?.sheet?.chances.length ?? 0) > 0, null, PATIENCE);
  const { draft, decision } = await player.state();
  const keys = draft.sheet.lines.map((line) => line.label.key);
  for (const key of ['sheet.least', 'sheet.contaminated', 'sheet.gas_attack']) assert.ok(keys.includes(key), `${keys}`);
  assert.deepEqual(draft.sheet.chances.map((c) => [c.label.key, Math.round(c.p * 100)]), [['sheet.lost', 80], ['sheet.lost', 20]]);
  await shot(player, 'wurzburg-gas-1440');
  await page.locator('.card .btn.primary', { hasText: 'Gas' }).last().click();
  await player.waitDecision(decision);
  assert.ok(await page.evaluate(() => window.grognard.table.view.markers.some((m) => m.kind.startsWith('gas') && m.at === '2819')));
  assert.deepEqual(await bareKeys(player), []);
};

/** The sheet of a Close Attack: both fires with every modifier, and exact odds; who goes in can be changed. */
export const wurzburgStorm = async ({ url, person, shot }) => {
  const player = await table(person, url);
  const { page } = player;
  await onward(player, ['prompt.movement'], ['^plan 24MRR hasty by 4mrd-hq-for', '^hasty 24MRR objective 2516 close'], 80);
  await page.locator('.bar .btn', { hasText: 'Storm the objective' }).first().click();
  await player.until(() => (window.grognard.flow.draft?.sheet?.chances.length ?? 0) > 0, null, PATIENCE);
  const both = (await player.state()).draft;
  const keys = both.sheet.lines.map((line) => line.label.key);
  assert.equal(keys.filter((key) => key === 'sheet.section').length, 2);
  for (const key of ['effect.point_blank', 'sheet.attacker_loses', 'sheet.defense']) assert.ok(keys.includes(key), `${keys}`);
  assert.ok(Math.abs(sum(both.sheet.chances) - 1) < 1e-6);
  await shot(player, 'wurzburg-storm-1440');
  // One unit stays out: the fire is weaker.
  await page.locator('.slot [aria-pressed="true"]').last().click();
  await player.until((was) => window.grognard.flow.draft?.action !== was && window.grognard.flow.draft?.sheet, both.action, PATIENCE);
  await player.settle();
  const one = (await player.state()).draft;
  const total = (d) => Number(d.sheet.lines.filter((line) => line.label.key === 'sheet.total').at(-1).value);
  assert.ok(total(one) < total(both), `${total(one)} ${total(both)}`);
  const { decision } = await player.state();
  await page.keyboard.press('Enter');
  await player.waitDecision(decision);
  assert.deepEqual(await bareKeys(player), []);
};

/** The point in the middle of a hexside. */
const middle = (player, a, b) =>
  player.page.evaluate(
    ([from, to]) => {
      const h = window.grognard.handle();
      const [x, y] = [h.screen(from), h.screen(to)];
      return { x: (x.x + y.x) / 2, y: (x.y + y.y) / 2 };
    },
    [a, b],
  );

/** Charges: a click tells the chance first, the second blows the bridge or not. An engineer builds a bridge, which is drawn on its hexside. */
export const wurzburgBridges = async ({ url, person, shot }) => {
  const player = await table(person, url);
  const { page } = player;
  await onward(player, ['prompt.demolition']);
  await player.until(() => (window.grognard.flow.brief?.answers.length ?? 0) > 9, null, PATIENCE);
  const { decision } = await player.state();
  await player.pointOf('3214');
  const at = await middle(player, '3214', '3215');
  await page.mouse.click(at.x, at.y);
  await player.settle();
  await page.locator('[data-brief] [data-action="blow 3214/3215"]').waitFor({ timeout: PATIENCE });
  assert.equal((await player.state()).decision, decision, 'nothing is blown by looking at the chance');
  assert.match(await page.locator('[data-brief]').innerText(), /the charges fail[\s\S]*20%[\s\S]*the bridge is blown[\s\S]*80%/);
  await shot(player, 'wurzburg-demolition-1440');
  await page.locator('[data-action="blow 3214/3215"]').first().click();
  await player.waitDecision(decision);
  await onward(player, ['prompt.engineering']);
  await player.pickUnit('4mrd-eng-a');
  const before = (await player.state()).decision;
  await page.locator('.bar [data-action="work 4mrd-eng-a build_bridge 3113/3214"]').click();
  await player.waitDecision(before);
  assert.ok(await page.evaluate(() => window.grognard.table.view.markers.some((m) => m.at === '3113/3214')));
  await player.pointOf('3113');
  await shot(player, 'wurzburg-bridge-1440');
  assert.deepEqual(await bareKeys(player), []);
};

/** The Off-map Display shows every unit that is on it, HQs too; one of them moves to the other row. */
export const wurzburgDisplay = async ({ url, person, shot }) => {
  const player = await person();
  const { page } = player;
  await player.sitDown(url, 'wurzburg', 'sixty-miles');
  await onward(player, ['prompt.rows']);
  await page.getByRole('tab', { name: 'Tracks' }).click();
  await page.getByRole('tab', { name: /^Boxes/ }).click();
  const shown = (box) => page.locator('.rows .row', { hasText: box }).locator('[data-piece]').evaluateAll((list) => list.map((b) => b.dataset.piece).sort());
  const there = (box) => page.evaluate((at) => window.grognard.table.view.pieces.filter((p) => p.at === at).map((p) => p.id).sort(), box);
  assert.deepEqual(await shown('Five hexes off map'), await there('five'));
  assert.ok((await shown('Five hexes off map')).includes('39gmrd-hq-for'));
  await shot(player, 'wurzburg-display-1440');
  const { decision } = await player.state();
  await page.locator('.rows [data-piece="39gmrd-hq-for"]').click();
  await page.locator('[data-action="row 39gmrd-hq-for ten"]').click();
  await player.waitDecision(decision);
  assert.deepEqual(await shown('Ten hexes off map'), ['39gmrd-hq-for']);
};

/** A March without a mouse: committed, a unit moved, ended. */
export const wurzburgMarchByKeys = async ({ url, person, shot }) => {
  const player = await table(person, url);
  await onward(player, ['prompt.operations'], ['^plan 4TR march']);
  const made = [];
  for (let i = 0; i < 12 && made.at(-1) !== 'done'; i++) {
    await player.settle();
    const { asked } = await player.state();
    const listed = await offers(player, 12);
    const wishes = asked.key === 'prompt.operations' ? [/^march 4TR/] : made.includes('move') ? [/^done/] : [/^move 4tr-a \d{4}$/];
    const wanted = wishes.map((wish) => listed.find((o) => wish.test(o.action))).find(Boolean);
    assert.ok(wanted, `${asked.key}: ${listed.map((o) => o.action)}`);
    await byKeys(player, wanted);
    made.push(wanted.action.split(' ')[0]);
  }
  assert.deepEqual(made, ['march', 'move', 'done']);
  assert.notEqual(await player.at('4tr-a'), '2320');
  await shot(player, 'wurzburg-march-by-keys');
};
