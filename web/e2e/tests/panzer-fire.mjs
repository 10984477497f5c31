// The sheet of a shot before it is fired. Which side fires first is a matter of dice: everything here holds for either.
import assert from 'node:assert/strict';
import { bareKeys, duel } from './common.mjs';

/** A loaded machine takes its time. */
const PATIENCE = 60_000;

/** Fire for every vehicle that has a target, one side after the other, then on to the first Direct Fire. */
async function toDirectFire(player) {
  await player.fast({ until: ['prompt.commands'] });
  for (let i = 0; i < 2; i++) {
    const seat = await player.page.evaluate(async () => {
      const { table } = window.grognard;
      const { seat, subjects } = table.now.asks[0];
      for (const subject of subjects) {
        const options = await table.options(seat, subject);
        const shoot = options.find((o) => /^command \S+ fire$/.test(o.action));
        if (shoot) await table.act(seat, shoot.action);
      }
      await table.act(seat, 'done');
      return seat;
    });
    // The other side is asked, or the phase is over.
    await player.until(
      (before) => window.grognard.table.now?.asks.some((ask) => ask.seat !== before || ask.prompt.message.key !== 'prompt.commands'),
      seat,
      PATIENCE,
    );
    await player.settle();
  }
  const met = await player.fast({ until: ['prompt.direct_fire_first', 'prompt.direct_fire_second'] });
  assert.match(met ?? 'the game went on without Direct Fire', /^prompt\.direct_fire/);
}

/** The lines of the sheet as the page shows them: label, value, rule. */
const shown = (player) =>
  player.page.locator('section[aria-label] table tr').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim())));

export const fire = async ({ url, person, shot }) => {
  const player = await duel(person, url, 'sidi-rezegh');
  await player.page.waitForFunction(() => window.grognard.handle().mapComplete(), null, { timeout: PATIENCE });
  await toDirectFire(player);

  // A vehicle that can fire, and one of its targets.
  const start = await player.state();
  const shooter = await player.page.evaluate(
    ({ units, seat }) => units.find((id) => window.grognard.table.piece(id)?.seat === seat),
    { units: start.units, seat: start.asked.seat },
  );
  assert.ok(shooter, `somebody can fire: ${start.units}`);
  await player.pickUnit(shooter);
  await player.until(() => window.grognard.flow.aims.size > 0, null, PATIENCE);
  const [ringed] = await player.page.evaluate(() => [...window.grognard.flow.aims.keys()]);
  await player.pickUnit(ringed);
  await player.until(() => (window.grognard.flow.draft?.sheet?.lines.length ?? 0) > 0, null, PATIENCE);
  await player.page.waitForFunction(() => window.grognard.handle().mapComplete(), null, { timeout: PATIENCE });
  await shot(player, 'panzer-fire-1440');

  // Every line that the game reckons with stands in the page, with its rule.
  const { draft } = await player.state();
  const words = await player.page.evaluate(() => {
    const { table, flow } = window.grognard;
    return flow.draft.sheet.lines.map((line) => [table.tell(line.label), line.value, line.rule]);
  });
  assert.deepEqual(await shown(player), words);
  const keys = draft.sheet.lines.map((line) => line.label.key);
  for (const key of ['sheet.weapon', 'sheet.range', 'sheet.net', 'sheet.number', 'sheet.angle', 'sheet.penetration']) {
    assert.ok(keys.includes(key), `${key}: ${keys}`);
  }
  assert.match(await player.page.locator('section[aria-label] h3').first().innerText(), /^Fire at /);
  // 4.4.3.2.2: the modifiers of each shot make its net modifier.
  const number = (text) => Number(text.replace('−', '-'));
  let sum = 0;
  let nets = 0;
  for (const { label, value } of draft.sheet.lines) {
    if (label.key === 'sheet.weapon') sum = 0;
    if (label.key.startsWith('modifier.')) sum += number(value);
    if (label.key === 'sheet.net') {
      assert.equal(sum, number(value), `modifiers: ${JSON.stringify(words)}`);
      nets++;
    }
  }
  assert.ok(nets > 0);
  await player.page.getByText('AP Hit Number').first().waitFor({ timeout: PATIENCE });
  await player.page.getByText('Chances', { exact: true }).waitFor({ timeout: PATIENCE });
  const all = draft.sheet.chances.reduce((total, chance) => total + chance.p, 0);
  assert.ok(Math.abs(all - 1) < 1e-6, `chances: ${JSON.stringify(draft.sheet.chances)}`);
  assert.deepEqual(await bareKeys(player), []);

  // Nothing is fired before it is confirmed.
  assert.equal((await player.state()).decision, start.decision);
  await player.page.keyboard.press('Enter');
  await player.waitDecision(start.decision);
  assert.deepEqual(await bareKeys(player), []);
};

/** A click on a target that several vehicles may fire at opens one sheet, which chooses among them; no button stands there twice. */
export const targetSheet = async ({ url, person, shot }) => {
  const player = await duel(person, url, 'sidi-rezegh');
  await toDirectFire(player);
  const target = await player.page.evaluate(async () => {
    const { table } = window.grognard;
    const ask = table.now.asks[0];
    const options = (await Promise.all(ask.subjects.map((subject) => table.options(ask.seat, subject)))).flat();
    const form = options.find((o) => o.template?.parts.length === 1 && o.template.parts[0].candidates.length > 1 && options.filter((other) => !other.template && other.action.startsWith(`${o.action} `)).length > 1);
    return form?.action.split(' ')[1] ?? null;
  });
  assert.ok(target, 'several may fire at one target');
  const labels = await player.page.locator('.bar .btn').allInnerTexts();
  assert.deepEqual(labels, [...new Set(labels)]);
  await player.pickUnit(target);
  await player.until(() => window.grognard.flow.draft?.sheet, null, PATIENCE);
  const { draft } = await player.state();
  assert.match(draft.action, new RegExp(`^fire ${target} with `));
  assert.ok((await player.page.locator('.slot').first().locator('[aria-pressed]').count()) > 1, 'the sheet chooses who fires');
  await shot(player, 'panzer-target-sheet-1440');
};
