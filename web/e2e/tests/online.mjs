// Two people at two browsers, guests who look on, a server that goes away, time and second thoughts.
import assert from 'node:assert/strict';
import { hotseat, hurry, pair } from './common.mjs';

export const online = async ({ url, person, shot }) => {
  const { host, guest, link } = await pair(person, url);
  // Each answers when asked; both see the same table.
  for (let i = 0; i < 6; i++) {
    const [a, b] = [await host.state(), await guest.state()];
    assert.ok(!(a.asked && b.asked && a.asked.seat === b.asked.seat), 'never both for one seat');
    const [who, other] = a.asked ? [host, guest] : [guest, host];
    const before = (await who.state()).decision;
    await who.answer(hurry);
    await other.until((d) => window.grognard.table.now.decision > d, before);
  }
  // The link works once: a third person looks on.
  const third = await person();
  await third.page.goto(link);
  await third.page.getByRole('alert').waitFor();
  assert.equal(await third.page.locator('[data-board]').count(), 0, 'the link is used up');

  await host.page.getByRole('tab', { name: /Chat/ }).click();
  await host.page.getByPlaceholder('Say something').fill('<b>Good luck</b>');
  await host.page.getByRole('button', { name: 'Send' }).click();
  await guest.until(() => window.grognard.table.chat.length === 1);
  await guest.page.getByRole('tab', { name: /Chat/ }).click();
  assert.equal(await guest.page.locator('[role=log] b:text-is("Good luck")').count(), 0, 'chat is plain text');
  assert.match(await guest.page.locator('[role=log]').innerText(), /<b>Good luck<\/b>/);
  await shot(guest, 'online-1440');
};

/** Past the point of free undo the other player is asked, and may refuse. */
export const takeback = async ({ url, person, shot }) => {
  const { host, guest } = await pair(person, url);
  // A decision of each side: the first can no longer be undone.
  await host.fast({ while: true });
  await Promise.any([host, guest].map((player) => player.until(() => window.grognard.flow.ask)));
  const asker = (await guest.state()).asked ? host : guest;
  const other = asker === host ? guest : host;
  const decided = (await asker.state()).decision;
  const ask = async () => {
    await asker.page.getByRole('button', { name: 'Menu' }).click();
    await asker.page.getByRole('button', { name: 'Ask for a takeback' }).click();
    await asker.page.getByText('Waiting for an answer to your takeback request.').waitFor();
    await other.page.getByText(/asks to take the last decision back/).waitFor();
  };
  await ask();
  await shot(other, 'takeback-1440');
  await other.page.getByRole('button', { name: 'Refuse' }).click();
  await asker.page.getByText('Waiting for an answer to your takeback request.').waitFor({ state: 'detached' });
  assert.equal((await asker.state()).decision, decided, 'refused: nothing changed');
  await ask();
  await other.page.getByRole('button', { name: 'Allow' }).click();
  for (const player of [asker, other]) await player.until((d) => window.grognard.table.now.decision < d, decided);
  assert.ok((await asker.state()).asked, 'who asked decides again');
};

/** Clocks run for whoever decides, in the page, too; whose time is up has lost. */
export const clocks = async ({ url, person, shot }) => {
  const { host, guest } = await pair(person, url, async (player) => {
    await player.page.getByLabel('Clock').selectOption('live');
    await player.page.getByLabel('Minutes').fill('2');
    await player.page.getByLabel('Seconds added').fill('0');
  });
  const time = async (player, seat) => {
    const text = await player.page.locator('.seat time').nth(seat).innerText();
    const [m, s] = text.split(':').map(Number);
    return m * 60 + s;
  };
  const running = (await host.state()).asked ? 0 : 1;
  const begun = Date.now();
  const before = await time(guest, running);
  await guest.page.waitForTimeout(2300);
  const after = await time(guest, running);
  const passed = (Date.now() - begun) / 1000;
  assert.ok(before - after >= 2 && before - after <= passed + 1, `the clock ran from ${before} to ${after} in ${passed} s`);
  assert.equal(await time(guest, 1 - running), 120, 'the other one stands');
  await shot(guest, 'clocks-1440');

  // Two seconds are soon over.
  const id = await host.page.evaluate(async (seconds) => {
    const token = localStorage.getItem('grognard.token');
    const [game] = await (await fetch('/api/catalogue')).json();
    const body = {
      setup: { game: game.info.id, scenario: game.info.scenarios[0].id, edition: null, options: [] },
      seats: [{ kind: 'me' }, { kind: 'hotseat', name: 'B' }],
      clock: { kind: 'live', base_s: seconds, increment_s: 0 },
    };
    const made = await fetch('/api/games', { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: JSON.stringify(body) });
    return (await made.json()).game.id;
  }, 2);
  await host.page.goto(`${url}/#/table/${id}`);
  await host.page.waitForFunction((game) => window.grognard?.table.id === game, id);
  await host.until(() => window.grognard.table.now?.status === 'over', undefined, 20_000);
  assert.match(await host.page.locator('.prompt').innerText(), /\(Won on time\)/);
};

export const reconnect = async ({ url, server, person }) => {
  if (!server.restart) return;
  const player = await hotseat(person, url);
  await player.fast({ decisions: 2 });
  const before = await player.state();
  await server.restart();
  await player.until(() => window.grognard.table.status === 'open', undefined, 30_000);
  const after = await player.state();
  assert.equal(after.decision, before.decision, 'no decision was lost');
  assert.equal(after.lines, before.lines, 'no line was lost or doubled');
  await player.answer(hurry);
  assert.ok((await player.state()).decision > before.decision);
};

export const spectate = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  const id = await player.gameId();
  const guest = await person();
  await guest.page.goto(`${url}/#/table/${id}`);
  await guest.atTable();
  assert.match(await guest.page.locator('.prompt').innerText(), /You are watching/);
  const before = (await guest.state()).decision;
  await player.answer(hurry);
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
};

export const replay = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  await player.fast({ decisions: 4 });
  const now = (await player.state()).decision;
  await player.page.getByRole('button', { name: 'Replay' }).click();
  await player.page.getByRole('button', { name: 'To the start' }).click();
  await player.until(() => window.grognard.table.past?.decision === 0);
  await player.press(']');
  await player.until(() => window.grognard.table.past?.decision === 1);
  await shot(player, 'replay-1440');
  // Played by itself it comes back to now.
  await player.page.getByRole('button', { name: 'Play', exact: true }).click();
  await player.until((n) => window.grognard.table.past?.decision === n, now);
  await player.page.getByRole('button', { name: 'Back to now' }).click();
  await player.until(() => window.grognard.table.past === null);
  assert.equal((await player.state()).decision, now);
  // A link to a moment opens there.
  const id = await player.gameId();
  const other = await person();
  await other.page.goto(`${url}/#/table/${id}?at=2`);
  await other.atTable();
  await other.until(() => window.grognard.table.past?.decision === 2);
};

// Clocks, and a server that is killed: nothing else runs beside them.
clocks.alone = true;
reconnect.alone = true;
