// What hands do at the map: drag a counter, take a whole stack.
import assert from 'node:assert/strict';
import { hotseat } from './common.mjs';

/** Press on a place, go to another in steps, let go. */
async function drag(player, from, to, { pause = 60 } = {}) {
  await player.pointOf(from);
  const [a, b] = await player.page.evaluate(([x, y]) => [x, y].map((p) => window.grognard.handle().screen(p)), [from, to]);
  const { mouse } = player.page;
  await mouse.move(a.x, a.y);
  await mouse.down();
  await mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 4 });
  await mouse.move(b.x, b.y, { steps: 4 });
  await player.page.waitForTimeout(pause);
  return async () => {
    await mouse.up();
    await player.settle();
  };
}

/** A unit is dragged to a hex it can reach, and back to where it may not go. */
export const dragging = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  await player.fast({ until: ['prompt.movement'] });
  const s = await player.selectMover([], { alone: true });
  const [unit] = s.selected;
  const from = await player.at(unit);
  await player.press('Escape');
  assert.deepEqual((await player.state()).selected, []);
  // Not selected before, dropped without waiting for any answer: the hand is quicker than the server.
  const near = await nearest(player, from, s.targets);
  let drop = await drag(player, from, near, { pause: 0 });
  await drop();
  await player.waitDecision(s.decision);
  assert.equal(await player.at(unit), near);

  // On the way the counter hangs at the pointer, with the path and its costs.
  const next = await player.selectMover([unit], { alone: true });
  const other = next.selected[0];
  const home = await player.at(other);
  const goal = await nearest(player, home, next.targets);
  drop = await drag(player, home, goal, { pause: 400 });
  const onTheWay = await player.page.evaluate(() => ({ carried: window.grognard.page.carried, path: window.grognard.flow.path }));
  assert.ok(onTheWay.carried, 'the counter is carried');
  assert.equal(onTheWay.path.cells.at(-1), goal);
  assert.equal(onTheWay.path.costs.length, onTheWay.path.cells.length - 1, 'a cost for each step');
  await shot(player, 'drag-1440');
  await player.page.keyboard.press('Escape');
  await drop();
  await player.page.waitForTimeout(150);
  assert.equal((await player.state()).decision, next.decision, 'Escape drops nothing');

  // Where it may not go: nothing is done and the rule is named.
  await player.press(' ');
  const again = await player.selectMover([unit], { alone: true });
  const place = await player.at(again.selected[0]);
  const far = await player.page.evaluate((at) => {
    const { flow, table, handle } = window.grognard;
    const g = handle().geometry;
    const p = g.at(at);
    return table.board.cells
      .filter((c) => c.id !== at && !flow.current.targets.has(c.id) && !table.live.pieces.some((x) => x.at === c.id))
      .sort((a, b) => Math.hypot(a.x - p.x, a.y - p.y) - Math.hypot(b.x - p.x, b.y - p.y))[0].id;
  }, place);
  drop = await drag(player, place, far);
  await drop();
  await player.page.locator('.why .rule').first().waitFor({ timeout: 5000 });
  assert.equal((await player.state()).decision, again.decision);
};

function nearest(player, from, places) {
  return player.page.evaluate(
    ([at, list]) => {
      const g = window.grognard.handle().geometry;
      const p = g.at(at);
      const far = (id) => Math.hypot(g.at(id).x - p.x, g.at(id).y - p.y);
      return list.filter((id) => g.at(id)).sort((a, b) => far(a) - far(b))[0];
    },
    [from, places],
  );
}

/** A stack is taken as a whole, by its button or counter by counter, and moves together. */
export const stack = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  await player.fast({ until: ['prompt.movement'] });
  // A hex with two or more units that have a way in common.
  const cell = await player.page.evaluate(async () => {
    const { table, flow } = window.grognard;
    const ask = table.now.asks[0];
    const groups = Map.groupBy(
      table.live.pieces.filter((p) => flow.subjects.unit.has(p.id) && table.cell(p.at)),
      (p) => p.at,
    );
    for (const [at, pieces] of groups) {
      if (pieces.length < 2) continue;
      const lists = await Promise.all(pieces.map((p) => table.options(ask.seat, flow.subjects.unit.get(p.id))));
      const places = lists.map((list, i) => new Set(list.filter((o) => o.action.startsWith('move ')).map((o) => o.action.replace(` ${pieces[i].id}`, ''))));
      if ([...places[0]].some((x) => places.every((set) => set.has(x)))) return at;
    }
    return null;
  });
  assert.ok(cell, 'somewhere a stack can move together');
  await player.click(cell);
  const all = player.page.getByRole('button', { name: /Select the whole stack/ });
  await all.click();
  await player.settle();
  let s = await player.state();
  assert.ok(s.selected.length >= 2 && s.targets.length > 0, `${s.selected} can go to ${s.targets}`);
  await player.page.waitForTimeout(200);
  await shot(player, 'stack-1440');
  const units = s.selected;
  const goal = await nearest(player, cell, s.targets);
  await player.click(goal);
  await player.until(([list, to]) => list.every((id) => window.grognard.table.piece(id).at === to), [units, goal]);

  // Each goes back by itself: Undo is one step for each decision.
  while ((await player.state()).decision > s.decision) {
    const { decision } = await player.state();
    await player.press('u');
    await player.until((d) => window.grognard.table.now.decision < d, decision);
  }
  for (const unit of units) assert.equal(await player.at(unit), cell);

  // Counter by counter in the fan, with Shift held.
  await player.press('Escape');
  const p = await player.pointOf(cell);
  await player.page.mouse.move(p.x + 200, p.y + 150);
  await player.page.mouse.move(p.x, p.y, { steps: 3 });
  for (const unit of units) {
    const counter = player.page.locator(`.fan [data-piece="${unit}"]`);
    await counter.waitFor({ timeout: 4000 });
    await counter.click({ modifiers: ['Shift'] });
    await player.settle();
  }
  s = await player.state();
  assert.deepEqual([...s.selected].sort(), [...units].sort());
  await player.press('Escape');
  await player.press('a');
  assert.equal((await player.state()).selected.length, units.length, 'or by a key');
};
