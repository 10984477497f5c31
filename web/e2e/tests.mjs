// What a person does at the table, from the first click to the end of a turn.
import assert from 'node:assert/strict';

/** A table by two clicks in the lobby: the game, the opponent. */
async function hotseat(person, url, options) {
  const player = await person(options);
  await player.open(`${url}/#/`);
  await player.page.getByRole('button', { name: 'Play now' }).first().click();
  await player.page.getByRole('button', { name: 'Friend at this screen' }).first().click();
  await player.atTable();
  return player;
}

/** Answer everything until a unit can be moved. */
async function toMovement(player) {
  for (let i = 0; i < 60; i++) {
    const s = await player.state();
    if (s.units.length > 5 && /move/.test(s.asked?.key + s.phase)) return;
    await player.answer((a) => (/^(deploy|done|no |hold|stay|pass)/.test(a) ? 1 : 0));
  }
  throw new Error('no movement phase came');
}

/** Go on until an attack can be made. */
async function toCombat(player) {
  for (let i = 0; i < 80; i++) {
    const s = await player.state();
    if (/attack|combat/.test(s.asked?.key ?? '') && (s.places.length || s.units.length)) return;
    await player.answer((a) => (/^(deploy|done|no |hold|stay|pass)/.test(a) ? 1 : 0));
  }
  throw new Error('no combat phase came');
}

const enemyHexes = (player) =>
  player.page.evaluate(() => {
    const { flow, table } = window.grognard;
    return [...flow.subjects.place.keys()].filter((h) => table.live.pieces.some((p) => p.at === h && p.seat !== flow.seat));
  });

export const tests = {
  async lobby({ url, person, shot }) {
    const player = await person();
    const begun = Date.now();
    await player.open(`${url}/#/`);
    await player.page.getByRole('button', { name: 'Play now' }).first().waitFor();
    await player.page.waitForTimeout(600);
    await shot(player, 'lobby');
    const cards = await player.page.locator('article h2').allTextContents();
    assert.ok(cards.length > 0 && cards.every((text) => text.trim() && !text.includes('.name')), `cards: ${cards}`);
    await player.page.getByRole('button', { name: 'All settings' }).first().click();
    await player.page.getByRole('button', { name: 'Set up the table' }).waitFor();
    await shot(player, 'new-game');
    console.log(`      lobby ready and a form opened in ${Date.now() - begun} ms`);
  },

  async map({ url, person, shot }) {
    const player = await hotseat(person, url);
    const id = await player.gameId();
    // A cold start: another browser opens the table's address.
    const cold = await person();
    const begun = Date.now();
    await cold.page.goto(`${url}/#/table/${id}`);
    const seen = (what) => cold.page.waitForFunction((w) => window.grognard?.handle()?.[w](), what, { timeout: 60_000, polling: 25 });
    await seen('mapVisible');
    const visible = Date.now() - begun;
    await seen('mapComplete');
    console.log(`      map visible after ${visible} ms, sharp after ${Date.now() - begun} ms`);
    await shot(player, 'table-1440');
    // An unoptimised program draws its first tiles slowly; a release must keep the promise of two seconds.
    const most = Number(process.env.GROGNARD_MAP_MS ?? 20_000);
    assert.ok(visible < most, `the map took ${visible} ms`);
  },

  async frames({ url, person }) {
    const player = await hotseat(person, url);
    await player.page.waitForFunction(() => window.grognard.handle().mapComplete(), null, { timeout: 60_000 });
    const report = await player.page.evaluate(async () => {
      const h = window.grognard.handle();
      const out = {};
      const run = async (name, step) => {
        h.frames.length = 0;
        for (let i = 0; i < 90; i++) {
          step(i);
          h.redraw();
          await new Promise((r) => requestAnimationFrame(r));
        }
        const sorted = [...h.frames].sort((a, b) => a - b);
        out[name] = { p50: sorted[sorted.length >> 1], p95: sorted[Math.floor(sorted.length * 0.95)] };
      };
      await run('pan', (i) => h.camera.pan(Math.sin(i / 9) * 25, Math.cos(i / 9) * 18));
      await run('zoom', (i) => h.camera.zoom(i % 60 < 30 ? 1.03 : 1 / 1.03, { x: 700, y: 450 }));
      h.camera.fit();
      await run('far', (i) => h.camera.pan(Math.sin(i / 9) * 15, Math.cos(i / 9) * 10));
      return out;
    });
    for (const [name, { p50, p95 }] of Object.entries(report)) {
      console.log(`      ${name}: painting a frame takes ${p50.toFixed(1)} ms (median), ${p95.toFixed(1)} ms (p95)`);
      assert.ok(p50 < 8, `${name}: median frame ${p50} ms`);
    }
  },

  async move({ url, person, shot }) {
    const player = await hotseat(person, url);
    await toMovement(player);
    const s = await player.selectMover();
    await shot(player, 'reach-1440');
    const unit = s.selected[0];
    await player.click(s.targets[0]);
    await player.waitDecision(s.decision);
    const at = await player.page.evaluate((id) => window.grognard.table.piece(id)?.at, unit);
    assert.equal(at, s.targets[0]);
    assert.ok((await player.state()).lines > s.lines, 'the report tells of the move');

    // Undo takes it back.
    const moved = await player.state();
    await player.press('u');
    await player.until((d) => window.grognard.table.now.decision < d, moved.decision);
    const back = await player.page.evaluate((id) => window.grognard.table.piece(id)?.at, unit);
    assert.notEqual(back, s.targets[0]);
  },

  async refused({ url, person, shot }) {
    const player = await hotseat(person, url);
    await toMovement(player);
    const s = await player.selectMover();
    const far = await player.page.evaluate(() => {
      const { flow, table, handle } = window.grognard;
      const from = handle().geometry.at(table.piece(flow.selected[0]).at);
      // The nearest empty hex that cannot be reached.
      return table.board.cells
        .filter((c) => !flow.current.targets.has(c.id) && !table.live.pieces.some((p) => p.at === c.id))
        .sort((a, b) => Math.hypot(a.x - from.x, a.y - from.y) - Math.hypot(b.x - from.x, b.y - from.y))[0].id;
    });
    await player.click(far);
    await player.page.locator('.why').waitFor({ timeout: 5000 });
    const text = await player.page.locator('.why').innerText();
    const rule = await player.page.locator('.why .rule').innerText();
    assert.match(rule, /^\d+(\.\d+)*/, `a rule number in: ${text}`);
    await shot(player, 'refused-1440');
    assert.equal((await player.state()).decision, s.decision, 'nothing was done');
    await player.page.locator('.why .rule').click();
    await player.page.locator('.rulecard').waitFor();
  },

  async attack({ url, person, shot }) {
    const player = await hotseat(person, url);
    await toCombat(player);
    const targets = await enemyHexes(player);
    assert.ok(targets.length > 0, 'an enemy can be attacked');
    let s;
    for (const target of targets.slice(0, 12)) {
      await player.click(target);
      s = await player.state();
      if (!s.draft && s.ways.length) s = await player.state();
      if (s.draft) {
        for (let i = 0; i < 6 && !(s.draft.ready && s.draft.verdict === 'legal'); i++) {
          const free = player.page.locator('.slot [aria-pressed="false"]');
          if ((await free.count()) === 0) break;
          await free.first().click();
          await player.settle();
          s = await player.state();
        }
        if (s.draft?.ready && s.draft.verdict === 'legal') break;
      }
      await player.press('Escape');
    }
    assert.ok(s.draft?.ready, `an attack can be declared: ${JSON.stringify(s.draft)}`);
    await player.page.waitForFunction(() => window.grognard.flow.draft?.sheet, null, { timeout: 10_000 });
    s = await player.state();
    assert.ok(s.draft.sheet.lines.length >= 3, 'the sheet has its factors');
    const sum = s.draft.sheet.chances.reduce((total, c) => total + c.p, 0);
    assert.ok(Math.abs(sum - 1) < 1e-6, `chances sum to ${sum}`);
    await shot(player, 'odds-1440');
    const before = s.decision;
    await player.press('Enter');
    await player.waitDecision(before);
    // Whatever follows (losses, retreat, advance) is answered by pointing, until the fight is over.
    const seen = new Set();
    for (let i = 0; i < 30; i++) {
      s = await player.state();
      if (!s.asked || s.asked.subjects > 12) break;
      seen.add(s.asked.key);
      await player.answer((a) => (/^(retreat|advance|press|stand)/.test(a) ? 2 : 0));
    }
    console.log(`      asked on the way: ${[...seen].join(', ') || 'nothing'}`);
    await player.press('l');
    await shot(player, 'report-1440');
    const rolls = await player.page.evaluate(() => window.grognard.table.lines.filter((l) => l.entry.data?.kind === 'roll').length);
    assert.ok(rolls > 0, 'a die was rolled and stands in the report');
  },

  async turn({ url, person }) {
    const player = await hotseat(person, url);
    const start = await player.state();
    let s = start;
    for (let i = 0; i < 400 && s.turn === start.turn && s.status === 'playing'; i++) {
      await player.answer((a) => (/^(deploy|done|no |hold|stay|pass|end|give way|engage|accept)/.test(a) ? 1 : 0));
      s = await player.state();
    }
    assert.ok(s.turn > start.turn || s.status === 'over', `the turn ended: ${JSON.stringify(s)}`);
  },

  async online({ url, person, shot }) {
    const host = await person();
    await host.open(`${url}/#/`);
    await host.page.getByRole('button', { name: 'All settings' }).first().click();
    const selects = host.page.locator('.seat select');
    await selects.nth(1).selectOption('invite');
    await host.page.getByRole('button', { name: 'Set up the table' }).click();
    const link = await host.page.locator('.sent input').inputValue();
    await host.page.getByRole('button', { name: 'Continue' }).click();
    await host.atTable();

    const guest = await person();
    await guest.page.goto(link);
    await guest.atTable();
    await guest.until(() => window.grognard.table.now.status === 'playing');
    await host.until(() => window.grognard.table.now.status === 'playing');

    // Each answers when asked; both see the same table.
    for (let i = 0; i < 8; i++) {
      const [a, b] = [await host.state(), await guest.state()];
      assert.ok(!(a.asked && b.asked && a.asked.seat === b.asked.seat), 'never both for one seat');
      const [who, other] = a.asked ? [host, guest] : [guest, host];
      const before = (await who.state()).decision;
      await who.answer((x) => (/^(deploy|done|no |hold|stay|pass)/.test(x) ? 1 : 0));
      await other.until((d) => window.grognard.table.now.decision > d, before);
    }
    // The link works once: a third person looks on.
    const third = await person();
    await third.page.goto(link);
    await third.page.waitForTimeout(1200);
    assert.equal(await third.page.locator('[data-board]').count(), 0, 'the link is used up');

    await host.page.getByRole('tab', { name: /Chat/ }).click();
    await host.page.getByPlaceholder('Say something').fill('<b>Good luck</b>');
    await host.page.getByRole('button', { name: 'Send' }).click();
    await guest.until(() => window.grognard.table.chat.length === 1);
    await guest.page.getByRole('tab', { name: /Chat/ }).click();
    assert.equal(await guest.page.locator('[role=log] b:text-is("Good luck")').count(), 0, 'chat is plain text');
    assert.match(await guest.page.locator('[role=log]').innerText(), /<b>Good luck<\/b>/);
    await shot(guest, 'online-1440');
  },

  async reconnect({ url, server, person }) {
    if (!server.restart) return;
    const player = await hotseat(person, url);
    await player.answer((a) => (/^(deploy|done|no )/.test(a) ? 1 : 0));
    const before = await player.state();
    await server.restart();
    await player.until(() => window.grognard.table.status === 'open', undefined, 30_000);
    const after = await player.state();
    assert.equal(after.decision, before.decision, 'no decision was lost');
    assert.equal(after.lines, before.lines, 'no line was lost or doubled');
    await player.answer((a) => (/^(deploy|done|no )/.test(a) ? 1 : 0));
    assert.ok((await player.state()).decision > before.decision);
  },

  async spectate({ url, person, shot }) {
    const player = await hotseat(person, url);
    const id = await player.gameId();
    const guest = await person();
    await guest.page.goto(`${url}/#/table/${id}`);
    await guest.atTable();
    assert.match(await guest.page.locator('.prompt').innerText(), /looking on/);
    const before = (await guest.state()).decision;
    await player.answer((a) => (/^(deploy|done|no )/.test(a) ? 1 : 0));
    await guest.until((d) => window.grognard.table.now.decision > d, before);
    const refused = await guest.page.evaluate(async () => {
      try {
        await window.grognard.table.act(0, 'done');
        return null;
      } catch (e) {
        return e.error.code;
      }
    });
    assert.ok(refused, 'who looks on may not act');
    await shot(guest, 'spectator-1440');
  },

  async replay({ url, person, shot }) {
    const player = await hotseat(person, url);
    for (let i = 0; i < 4; i++) await player.answer((a) => (/^(deploy|done|no )/.test(a) ? 1 : 0));
    const now = (await player.state()).decision;
    await player.page.getByRole('button', { name: 'Replay' }).click();
    await player.page.getByRole('button', { name: 'To the start' }).click();
    await player.until(() => window.grognard.table.past?.decision === 0);
    await player.press(']');
    await player.until(() => window.grognard.table.past?.decision === 1);
    await shot(player, 'replay-1440');
    await player.page.getByRole('button', { name: 'Back to now' }).click();
    await player.until(() => window.grognard.table.past === null);
    assert.equal((await player.state()).decision, now);
    // A link to a moment opens there.
    const id = await player.gameId();
    const other = await person();
    await other.page.goto(`${url}/#/table/${id}?at=2`);
    await other.atTable();
    await other.until(() => window.grognard.table.past?.decision === 2);
  },

  async language({ url, person, shot }) {
    const player = await hotseat(person, url);
    const english = await player.page.locator('.prompt').innerText();
    await player.page.getByRole('button', { name: 'Menu' }).click();
    await player.page.getByRole('button', { name: '한국어' }).click();
    await player.until(() => document.documentElement.lang === 'ko');
    await player.until(() => /[가-힣]/.test(document.querySelector('.prompt')?.textContent ?? ''));
    const korean = await player.page.locator('.prompt').innerText();
    assert.notEqual(korean, english);
    assert.match(korean, /[가-힣]/);
    await player.page.keyboard.press('Escape');
    await shot(player, 'korean-1440');
    await player.page.locator('.tools .icon').last().click();
    await player.page.getByRole('button', { name: '日本語' }).click();
    await player.until(() => document.documentElement.lang === 'ja');
    await player.until(() => /[ぁ-んァ-ヶ一-龯]/.test(document.querySelector('.prompt')?.textContent ?? ''));
    assert.match(await player.page.locator('.prompt').innerText(), /[ぁ-んァ-ヶ一-龯]/);
    await player.page.keyboard.press('Escape');
    await shot(player, 'japanese-1440');
    const keys = await player.page.evaluate(() => document.body.innerText.match(/\b(prompt|phase|log|action|side|roll|no)\.[a-z_]+/g));
    assert.equal(keys, null, `keys without words: ${keys}`);
  },

  async keyboard({ url, person }) {
    const player = await person();
    await player.open(`${url}/#/`);
    await player.page.getByRole('button', { name: 'Play now' }).first().focus();
    await player.page.keyboard.press('Enter');
    await player.page.getByRole('button', { name: 'Friend at this screen' }).first().focus();
    await player.page.keyboard.press('Enter');
    await player.atTable();
    await toMovement(player);
    const s = await player.selectMover();
    // Walk with the arrows from the unit to a hex it can reach, and choose it.
    const goal = await player.page.evaluate(() => {
      const { flow, table, handle } = window.grognard;
      const from = table.piece(flow.selected[0]).at;
      const near = handle().geometry.neighbours(from).map((c) => c.id);
      return near.find((id) => flow.current.targets.has(id)) ?? null;
    });
    assert.ok(goal, 'a neighbouring hex can be reached');
    const dir = await player.page.evaluate(
      ([unit, to]) => {
        const { table, handle } = window.grognard;
        const g = handle().geometry;
        const a = g.at(table.piece(unit).at);
        const b = g.at(to);
        return { dx: Math.sign(Math.round(b.x - a.x)), dy: Math.sign(Math.round(b.y - a.y)) };
      },
      [s.selected[0], goal],
    );
    const steps = dir.dx === 0 ? [dir.dy < 0 ? 'ArrowUp' : 'ArrowDown'] : [dir.dx < 0 ? 'ArrowLeft' : 'ArrowRight'];
    for (const key of steps) await player.press(key);
    let focus = await player.page.evaluate(() => document.querySelector('.spoken')?.textContent ?? '');
    for (let i = 0; i < 4 && !focus.includes(goal); i++) {
      await player.press(dir.dy < 0 ? 'ArrowUp' : 'ArrowDown');
      focus = await player.page.evaluate(() => document.querySelector('.spoken')?.textContent ?? '');
    }
    assert.ok(focus.length > 0, 'the hex under the keyboard is spoken');
    await player.page.keyboard.press('Enter');
    await player.waitDecision(s.decision).catch(async () => {
      // The arrows may have led beside the goal; then the table said why not.
      assert.ok((await player.state()).refusal, 'a hex that cannot be reached is refused');
    });
    await player.press('?');
    await player.page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await player.press('Escape');
    assert.equal(await player.page.getByRole('dialog', { name: 'Keys' }).count(), 0);
  },

  async phone({ url, person, shot }) {
    const player = await hotseat(person, url, { size: [390, 844], touch: true, scale: 2 });
    await toMovement(player);
    const unit = (await player.state()).units[0];
    const at = await player.page.evaluate((id) => window.grognard.table.piece(id).at, unit);
    await player.click(at);
    await player.page.waitForTimeout(300);
    await shot(player, 'table-390');
    assert.ok((await player.state()).selected.length > 0, 'a tap selects');
    await player.page.getByRole('button', { name: 'Battle report' }).click();
    await player.page.locator('.sheet').waitFor();
    await shot(player, 'report-390');
    const wide = await player.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wide, false, 'nothing is wider than the screen');
  },

  async tablet({ url, person, shot }) {
    const player = await hotseat(person, url, { size: [1024, 768], prefs: { theme: 'dark' } });
    await toMovement(player);
    await player.selectMover();
    await player.press('z');
    await player.page.waitForTimeout(400);
    await shot(player, 'table-1024-dark');
    const dark = await player.page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(dark, 'dark');
  },
};
