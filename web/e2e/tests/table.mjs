// What lies over and beside the map, what the page says to those who hear it, and what it does when the server is renewed.
import assert from 'node:assert/strict';
import { walk } from '../keyboard.mjs';
import { bareKeys, hotseat } from './common.mjs';

/** At a key the map shows where and when reinforcements enter, by side. */
export const reinforcements = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  await player.fast({ until: ['prompt.movement'] });
  await player.press('n');
  await player.until(() => window.grognard.overlays.paint.overlays.length >= 2);
  const painted = await player.page.evaluate(() => window.grognard.overlays.paint.overlays.map((o) => ({ colour: o.colour, cells: [...o.cells], texts: [...(o.texts ?? [])] })));
  assert.equal(new Set(painted.map((o) => o.colour)).size, painted.length, 'each side has its colour');
  for (const { cells, texts } of painted) {
    assert.ok(texts.length > 0 && texts.length <= cells.length);
    for (const [cell, text] of texts) {
      assert.ok(cells.includes(cell));
      for (const line of text.split('\n')) assert.match(line, /^(\d+ (AM|PM) ×\d+|… \+\d+)$/, `${cell}: ${text}`);
    }
  }
  const findings = player.page.locator('.findings');
  assert.match(await findings.innerText(), /\d+ units? still to come/);
  assert.ok((await findings.locator('button.link').count()) > 5, 'units and hexes are links to the map');
  assert.deepEqual(await bareKeys(player), []);
  assert.ok(!/arrivals\./.test(await findings.innerText()), 'everything is said in words');
  await player.page.evaluate(() => window.grognard.handle().zoom(0));
  await shot(player, 'reinforcements-1440');
  // It stands among the keys, and goes as it came.
  await player.press('?');
  const key = player.page.locator('.keys .key').filter({ has: player.page.getByText('Reinforcements', { exact: true }) });
  assert.equal(await key.locator('kbd').first().innerText(), 'N');
  await player.press('Escape');
  await player.press('n');
  await player.until(() => window.grognard.overlays.paint.overlays.length === 0);
  assert.equal(await findings.count(), 0);
};

/** Units in Off-Map Boxes and Blocking Positions: each box by its name, each counter by click and by key. */
export const boxes = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  for (let i = 0; i < 300; i++) {
    const { turn, asked } = await player.state();
    if (turn >= 3 && asked?.seat === 1 && asked.key === 'prompt.movement') break;
    await player.fast({ decisions: 1 });
  }
  const send = async (verb) => {
    const { decision } = await player.state();
    const action = await player.page.evaluate(async (want) => {
      const { table } = window.grognard;
      const [ask] = table.now.asks;
      for (const piece of table.live.pieces.filter((p) => p.at === 'due' && p.seat === ask.seat)) {
        const subject = ask.subjects.find((s) => s.split(' ').includes(piece.id));
        const option = subject && (await table.options(ask.seat, subject)).find((o) => o.action.startsWith(want));
        if (option) {
          await table.act(ask.seat, option.action);
          return option.action;
        }
      }
      return null;
    }, verb);
    assert.ok(action, `somebody due can ${verb}`);
    await player.waitDecision(decision);
    return action.split(' ')[1];
  };
  const units = [await send('send '), await send('block ')];
  await player.press('e');
  await player.page.getByRole('tab', { name: 'Boxes 2' }).click();
  const rows = await player.page.locator('.rows .row p').allInnerTexts();
  assert.equal(rows.length, 2);
  assert.ok(rows.some((text) => /^\w+ Box$/.test(text)) && rows.some((text) => /^Blocking Position [A-M]$/.test(text)), `boxes: ${rows}`);
  for (const unit of units) assert.ok((await player.page.locator(`.rows [data-piece="${unit}"]`).getAttribute('aria-label')).length > 5);
  await shot(player, 'boxes-1440');
  // The next own turn: chosen in its box, it is told where it may go, each way with its own words.
  for (let i = 0; i < 300; i++) {
    const { turn, asked } = await player.state();
    if (turn >= 4 && asked?.seat === 1 && asked.key === 'prompt.movement') break;
    await player.fast({ decisions: 1 });
  }
  await player.press('e');
  await player.page.getByRole('tab', { name: /^Boxes/ }).click();
  const counter = player.page.locator(`.rows [data-piece="${units[0]}"]`);
  await counter.focus();
  await player.page.keyboard.press('Enter');
  await player.until((unit) => window.grognard.flow.selected.includes(unit) && window.grognard.flow.current?.targets.size > 0, units[0]);
  assert.equal(await counter.getAttribute('aria-pressed'), 'true');
  const words = await player.page.locator('.bar [data-action]').allInnerTexts();
  assert.equal(new Set(words).size, words.length, `no two buttons read alike: ${words}`);
  await player.until(() => [...window.grognard.flow.current.targets.keys()].some((id) => {
    const { handle } = window.grognard;
    const at = handle().geometry.at(id);
    return at && handle().camera.sees(at, 0);
  }));
  await shot(player, 'boxed-1440');
};

/** “Done” warns while units could still act, and can be told not to. */
export const warned = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  await player.fast({ until: ['prompt.movement'] });
  const { decision } = await player.state();
  const warning = player.page.getByRole('alert').getByText(/units? could still act/);
  await player.press('d');
  await warning.waitFor({ timeout: 5000 });
  assert.equal((await player.state()).decision, decision, 'nothing is decided yet');
  await shot(player, 'warned-1440');
  await player.press('Escape');
  await warning.waitFor({ state: 'detached' });
  assert.equal((await player.state()).decision, decision);
  await player.press('d');
  await warning.waitFor();
  await player.press('d');
  await player.until((d) => window.grognard.table.now.decision > d, decision);

  // Who does not want to be warned is not.
  const quick = await hotseat(person, url, { prefs: { warnDone: false } });
  await quick.fast({ until: ['prompt.movement'] });
  const before = (await quick.state()).decision;
  await quick.press('d');
  await quick.until((d) => window.grognard.table.now.decision > d, before);
};

/** A page that speaks an older protocol loads itself anew, once; where that does not help it says so. */
export const outdated = async ({ url, person }) => {
  const player = await hotseat(person, url);
  const id = await player.gameId();
  const old = await person();
  let sockets = 0;
  let speaksOld = (n) => n === 1;
  await old.page.routeWebSocket(/\/api\/games\/.*\/ws$/, (socket) => {
    const server = socket.connectToServer();
    const first = speaksOld(++sockets);
    socket.onMessage((text) => server.send(first ? text.replace(/"protocol":\d+/, '"protocol":1') : text));
  });
  await old.open(`${url}/#/table/${id}`);
  await old.until(() => window.grognard?.table.now && sessionStorage.getItem('grognard.renewed'), undefined, 30_000);
  assert.ok(sockets >= 2, 'loaded anew, then connected');
  assert.ok(old.page.url().endsWith(`#/table/${id}`), 'at the same table');
  speaksOld = () => true;
  await old.page.reload();
  await old.page.getByText('Grognard was updated while this page was open.').first().waitFor({ timeout: 30_000 });
  const tried = sockets;
  await old.page.waitForTimeout(1500);
  assert.equal(sockets, tried, 'it does not turn in a circle');

  // Nor does it stay blank where a part of it that is fetched later is gone.
  const late = await person();
  await late.open(`${url}/#/`);
  await late.page.getByRole('button', { name: 'Play now' }).first().waitFor();
  let gone = 0;
  let reloaded = false;
  await late.page.route(/TablePage[^/]*\.js$/, (route) => (reloaded ? route.continue() : (gone++, route.fulfill({ status: 404, body: '' }))));
  // The reload takes its time: until then the page does not work with what it has not got.
  await late.page.route(`${url}/`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    reloaded = true;
    await route.continue();
  });
  await late.page.evaluate((to) => (location.hash = to), `#/table/${id}`);
  await late.atTable();
  assert.ok(gone >= 1 && reloaded, 'it was fetched anew');
};

/** The page for those who hear it: everything that can be pressed has a name, panels and the map have theirs; the
 * keyboard's hex is told with its counters. */
export const spoken = async ({ url, person }) => {
  const player = await hotseat(person, url);
  await player.fast({ until: ['prompt.movement'] });
  const cdp = await player.page.context().newCDPSession(player.page);
  const tree = async () => {
    const { nodes } = await cdp.send('Accessibility.getFullAXTree');
    return nodes.filter((n) => !n.ignored).map((n) => ({ role: n.role?.value, name: (n.name?.value ?? '').trim() }));
  };
  const nameless = (nodes) => nodes.filter((n) => /^(button|link|tab|textbox|checkbox|radio|combobox|slider|application|complementary|region|dialog|toolbar|img|searchbox|menuitem)$/.test(n.role) && !n.name);
  const named = (nodes, role, name) => nodes.some((n) => n.role === role && name.test(n.name));
  await player.selectMover([], { alone: true });
  let nodes = await tree();
  assert.deepEqual(nameless(nodes), []);
  assert.ok(named(nodes, 'application', /^Map\./), 'the map');
  for (const panel of [/^Turn and sides$/, /^Details$/]) assert.ok(named(nodes, 'complementary', panel), `${panel}`);
  assert.ok(named(nodes, 'region', /^Battle report$/), 'the report');
  assert.ok(named(nodes, 'tab', /^Selection$/) && named(nodes, 'toolbar', /./));
  // The hex where the keyboard is, and each counter on it.
  const unit = (await player.state()).selected[0];
  const at = await player.at(unit);
  await walk(player, at);
  nodes = await tree();
  const cell = nodes.find((n) => n.role === 'group' && n.name.includes(at));
  assert.ok(cell, `${at} is told`);
  const counter = await player.page.evaluate((id) => {
    const { table } = window.grognard;
    return { name: table.unitName(id), factors: table.piece(id).face.factors.join('-'), side: table.seatName(table.piece(id).seat) };
  }, unit);
  for (const word of Object.values(counter)) {
    assert.ok(cell.name.includes(word), `${word} in ${cell.name}`);
    assert.ok(nodes.some((n) => /^(img|image)$/.test(n.role) && n.name.includes(word)), `a counter ${word}`);
  }
  assert.equal(await player.page.locator('[data-board]').getAttribute('aria-activedescendant'), 'board-cell');
  // Tables, keys, menu, rules: what opens is named as well.
  for (const key of ['e', '?', 'g', 'l', 'r']) {
    await player.page.keyboard.press(key);
    await player.page.waitForTimeout(150);
    assert.deepEqual(nameless(await tree()), [], `after ${key}`);
    await player.page.keyboard.press('Escape');
    await player.page.keyboard.press('Escape');
  }
  await player.page.getByRole('button', { name: 'Menu' }).click();
  assert.deepEqual(nameless(await tree()), []);
};

/** Whoever wants less motion sees none; everybody else sees counters go. */
export const calm = async ({ url, person }) => {
  const player = await hotseat(person, url, { prefs: { animate: true } });
  await player.fast({ until: ['prompt.movement'] });
  const moved = [];
  for (const reducedMotion of ['reduce', 'no-preference']) {
    await player.page.emulateMedia({ reducedMotion });
    const s = await player.selectMover(moved.map((m) => m.unit), { alone: true });
    await player.page.evaluate(() => {
      window.most = 0;
      const look = () => {
        window.most = Math.max(window.most, window.grognard.happenings.motions.length);
        window.watch = setTimeout(look, 5);
      };
      clearTimeout(window.watch);
      look();
    });
    await player.click(s.targets[0]);
    await player.waitDecision(s.decision);
    await player.page.waitForTimeout(300);
    moved.push({ unit: s.selected[0], motions: await player.page.evaluate(() => window.most) });
    assert.equal(await player.at(s.selected[0]), s.targets[0]);
  }
  assert.deepEqual(moved.map((m) => m.motions > 0), [false, true]);
};

/** What lies under the pointer is told with everything on it: a counter's small figures, roads and rivers, what a marker does. */
export const hovered = async ({ url, person, shot }) => {
  for (const [language, words] of Object.entries({ en: ['Tank Quality', 'Blown bridge', '(7.6)'], ko: ['탱크 퀄리티', '파괴된 교량', '(7.6)'], ja: ['装甲性能数値', '爆破された橋', '(7.6)'] })) {
    const player = await person({ prefs: { language } });
    await player.open(`${url}/#/new/ardennes44/six_turn`);
    await player.page.locator('.seat select').nth(1).selectOption('hotseat');
    await player.page.locator('.primary').last().click();
    await player.atTable();
    await player.fast({ until: ['prompt.movement'] });
    const { tank, bridge } = await player.page.evaluate(() => {
      const { table, handle } = window.grognard;
      const alone = (p) => table.cell(p.at) && handle().stackAt(p.at).pieces.length === 1;
      const blown = table.live.markers.filter((m) => m.kind === 'blown_bridge').flatMap((m) => m.at.split('/'));
      return { tank: table.live.pieces.find((p) => alone(p) && p.face.badges?.some((b) => b.kind === 'tq')).at, bridge: blown.find((hex) => !handle().stackAt(hex)) };
    });
    const tip = async (place) => {
      const at = await player.pointOf(place);
      await player.page.mouse.move(at.x + 120, at.y + 90);
      await player.page.mouse.move(at.x, at.y, { steps: 3 });
      await player.page.locator('.tip').filter({ hasText: place }).waitFor({ timeout: 4000 });
      return player.page.locator('.tip').innerText();
    };
    assert.match(await tip(tank), new RegExp(`${words[0]} \\d`), language);
    if (language === 'en') await shot(player, 'hovered-1440');
    const told = await tip(bridge);
    for (const word of words.slice(1)) assert.ok(told.includes(word), `${word} in ${told}`);
    assert.ok(!/(hexside|road|terrain|marker)\./.test(told), told);
  }
};

/** However late the map comes, the page asks no more than it needs: in this scenario 2,600 hexes may be chosen at once. */
export const unhurried = async ({ url, person }) => {
  const player = await person();
  let asked = 0;
  player.page.on('websocket', (socket) => socket.on('framesent', () => asked++));
  await player.page.route('**/board*', async (route) => {
    await new Promise((done) => setTimeout(done, 1500));
    await route.continue();
  });
  await player.open(`${url}/#/new/ardennes44/patton`);
  await player.page.locator('.seat select').nth(1).selectOption('hotseat');
  await player.page.getByRole('button', { name: 'Set up the table' }).click();
  await player.atTable();
  await player.page.waitForTimeout(800);
  assert.ok((await player.state()).places.length > 1000);
  assert.ok(asked < 20, `${asked} questions`);
};
