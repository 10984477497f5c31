// Between turns: notices, vacations, a computer that stands in, notes and bookmarks, news of the chat, the course as a film.
import assert from 'node:assert/strict';
import { bareKeys, hotseat, hurry, pair } from './common.mjs';

/** The browser lets this page show notices; those it shows are kept in `window.told`. It looks elsewhere from now on. */
async function lookAway(player) {
  await player.page.context().grantPermissions(['notifications']);
  await player.page.evaluate(() => {
    window.told = [];
    ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
      window.told.push({ title, ...options });
      return Promise.resolve();
    };
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
  });
}

const menu = (player) => player.page.getByRole('button', { name: 'Menu' }).click();

/** Whoever looks elsewhere is told by the browser that it is their move and what is written; a tap leads to that table. */
export const notices = async ({ url, person }) => {
  const { host, guest } = await pair(person, url);
  const [mover, other] = (await host.state()).asked ? [host, guest] : [guest, host];
  await menu(other);
  await other.page.context().grantPermissions(['notifications']);
  await other.page.getByLabel(/The browser tells me/).check();
  await other.until(() => JSON.parse(localStorage.getItem('grognard.prefs')).notify === true);
  await other.page.keyboard.press('Escape');
  await lookAway(other);
  await mover.fast({ while: true });
  await other.until(() => window.told.length > 0, undefined, 30_000);
  const [told] = await other.page.evaluate(() => window.told);
  assert.equal(told.title, "Ardennes '44");
  assert.ok(told.body.length > 5 && told.data.url.endsWith(`#/table/${await other.gameId()}`), JSON.stringify(told));
  assert.match(await other.page.title(), /^● /, 'the tab says so, too');
  await mover.page.getByRole('tab', { name: /Chat/ }).click();
  await mover.page.getByPlaceholder('Say something').fill('Are you there?');
  await mover.page.getByRole('button', { name: 'Send' }).click();
  await other.until(() => window.told.some((notice) => /Are you there/.test(notice.body)));
};

/** In the lobby each running game says its turn and whose move it is; the tab counts those that wait for me. */
export const lobbyNews = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  await player.fast({ until: ['prompt.movement'] });
  await player.open(`${url}/#/`);
  const row = player.page.getByRole('region', { name: 'My games' }).locator('.row').first();
  await row.waitFor();
  assert.match(await row.innerText(), /Turn 1 of 6/);
  assert.match(await row.innerText(), /Your move/);
  await player.until(() => /^\(1\) /.test(document.title), undefined, 30_000);
  await shot(player, 'lobby-news-1440');
};

/** Before a clock runs out, its owner is reminded at the table, and by the browser when looking elsewhere. */
export const reminder = async ({ url, person, shot }) => {
  const player = await person({ prefs: { notify: true } });
  await player.enter(url);
  const id = await player.page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('grognard.token')}`, 'content-type': 'application/json' };
    const setup = { game: 'ardennes44', scenario: 'st_vith', edition: null, options: [] };
    const body = JSON.stringify({ setup, seats: [{ kind: 'me' }, { kind: 'hotseat' }], clock: { kind: 'live', base_s: 30, increment_s: 0 } });
    return (await (await fetch('/api/games', { method: 'POST', headers, body })).json()).game.id;
  });
  await player.page.goto(`${url}/#/table/${id}`);
  await player.atTable();
  await lookAway(player);
  // Half of a short time: fifteen seconds.
  await player.page.getByText(/your clock is about to run out/).waitFor({ timeout: 30_000 });
  await player.until(() => window.told.some((notice) => /your clock is about to run out/.test(notice.body)));
  assert.equal(await player.page.locator('time.low').count(), 1, 'the clock is marked, too');
  await shot(player, 'reminder-1440');
};

/** Clocks stand by agreement for so many days; only whoever is away ends it before. */
export const vacation = async ({ url, person, shot }) => {
  const { host, guest } = await pair(person, url, async (player) => player.page.getByLabel('Clock').selectOption('turn'));
  await menu(host);
  await host.page.getByRole('button', { name: 'Propose a pause' }).click();
  await host.page.getByRole('button', { name: '7 days' }).click();
  await host.page.getByText('Waiting for the others to agree.').waitFor();
  await guest.page.getByText(/asks for a vacation of 7 days/).waitFor();
  await shot(guest, 'vacation-asked-1440');
  await guest.page.getByRole('button', { name: 'Allow' }).click();
  for (const player of [host, guest]) await player.page.getByText(/is on vacation: the clocks are stopped until/).waitFor();
  const restart = (player) => player.page.getByRole('button', { name: 'Restart the clocks' });
  assert.equal(await restart(guest).count(), 0, 'who stayed does not end it');
  await restart(host).click();
  for (const player of [host, guest]) await player.until(() => !window.grognard.table.now.paused);
};

/** A computer plays on for whoever has to leave, if both wish, until they come back. */
export const standIn = async ({ url, person, shot }) => {
  const { host, guest } = await pair(person, url);
  const [leaver, stayer] = (await host.state()).asked ? [host, guest] : [guest, host];
  const { decision } = await leaver.state();
  await menu(leaver);
  await leaver.page.getByRole('button', { name: 'Let the computer play for me' }).click();
  await stayer.page.getByText(/asks that the computer take over/).waitFor();
  await stayer.page.getByRole('button', { name: 'Allow' }).click();
  await leaver.page.getByText(/The computer plays .* for you/).waitFor();
  await shot(leaver, 'stand-in-1440');
  await leaver.until((d) => window.grognard.table.now.decision > d, decision, 60_000);
  await leaver.page.getByRole('button', { name: 'I am back' }).click();
  await leaver.page.getByText(/The computer plays .* for you/).waitFor({ state: 'detached' });
};

/** Notes are pinned to a hex and a turn, moments of the replay are bookmarked; both are there again the next time. */
export const notebook = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  await player.fast({ until: ['prompt.movement'] });
  const unit = (await player.state()).units[0];
  const place = await player.at(unit);
  await player.click(place);
  await player.page.getByRole('tab', { name: 'Notes' }).click();
  await player.page.getByPlaceholder('A note for yourself').fill('Hold this crossroads');
  await player.page.getByRole('button', { name: 'Add', exact: true }).click();
  await player.page.getByRole('button', { name: 'Replay' }).click();
  await player.page.getByRole('button', { name: 'To the start' }).click();
  await player.until(() => window.grognard.table.past?.decision === 0);
  await player.page.getByRole('button', { name: 'Bookmark', exact: true }).click();
  await player.page.getByRole('button', { name: 'Back to now' }).click();
  await player.page.reload();
  await player.atTable();
  await player.page.getByRole('tab', { name: 'Notes' }).click();
  const note = player.page.locator('.notes article', { hasText: 'Hold this crossroads' });
  await note.getByRole('button', { name: new RegExp(place) }).click();
  await player.until((at) => window.grognard.page.flash === at, place);
  await shot(player, 'notes-1440');
  // The turn leads into the replay, where the bookmark is.
  await note.getByRole('button', { name: 'Turn 1' }).click();
  await player.until(() => window.grognard.table.past !== null);
  await player.page.getByRole('button', { name: /^Bookmark: / }).click();
  await player.until(() => window.grognard.table.past?.decision === 0);
};

/** News of the chat is seen with the panel folded and on a phone, and leads to what was written. */
export const chatNews = async ({ url, person, shot }) => {
  const { host, guest } = await pair(person, url);
  const say = async (player, words) => {
    await player.page.getByRole('tab', { name: /Chat/ }).click();
    await player.page.getByPlaceholder('Say something').fill(words);
    await player.page.getByRole('button', { name: 'Send' }).click();
  };
  await host.page.getByRole('button', { name: /^Hide: Details/ }).click();
  await say(guest, 'Good luck');
  const fold = host.page.getByRole('button', { name: /^Show: Details/ });
  await fold.locator('.news', { hasText: '1' }).waitFor();
  await shot(host, 'chat-news-1440');
  await fold.click();
  await host.page.getByText('Good luck').waitFor();
  assert.equal(await host.page.locator('.news').count(), 0, 'read');

  await guest.page.setViewportSize({ width: 390, height: 844 });
  await say(host, 'And you');
  const info = guest.page.locator('.sheets .btn', { hasText: 'Info' });
  await info.locator('.dot').waitFor();
  await info.click();
  await guest.page.getByText('And you').waitFor();
  await info.locator('.dot').waitFor({ state: 'detached' });
};

/** The page can be installed: a manifest with icons of the sizes it names, and a worker that shows notices. */
export const installable = async ({ url, person }) => {
  const player = await person();
  await player.open(`${url}/#/`);
  const manifest = await player.page.evaluate(async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json());
  assert.ok(manifest.name && manifest.start_url && manifest.display === 'standalone');
  assert.ok(manifest.icons.some((icon) => icon.purpose === 'maskable'), 'an icon that may be cut to any shape');
  for (const { src, sizes, type } of manifest.icons.filter((icon) => icon.sizes !== 'any')) {
    const size = await player.page.evaluate(async (from) => {
      const picture = await createImageBitmap(await (await fetch(from)).blob());
      return `${picture.width}x${picture.height}`;
    }, src);
    assert.equal(size, sizes, `${src} (${type})`);
  }
  const worker = await player.page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js');
    return (await navigator.serviceWorker.ready).active !== null;
  });
  assert.ok(worker, 'the worker starts');
  // Chromium would install it: nothing is wrong but that this profile keeps nothing.
  const inside = await player.page.context().newCDPSession(player.page);
  const { errors } = await inside.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  const { installabilityErrors } = await inside.send('Page.getInstallabilityErrors');
  assert.deepEqual(installabilityErrors.map((one) => one.errorId).filter((id) => id !== 'in-incognito'), []);
};

/** Whoever comes back to a table that has moved on sees what changed, and just those decisions again. */
export const sinceLast = async ({ url, person, shot }) => {
  const { host, guest } = await pair(person, url);
  const [mover, other] = (await host.state()).asked ? [host, guest] : [guest, host];
  await other.open(`${url}/#/`);
  await other.page.getByRole('button', { name: 'Play now' }).first().waitFor();
  await mover.fast({ until: ['prompt.movement'], while: true }).catch(() => undefined);
  for (let i = 0; i < 12 && (await mover.state()).asked?.key !== 'prompt.movement'; i++) await mover.answer(hurry);
  const s = await mover.selectMover();
  await mover.click(s.targets[0]);
  await mover.waitDecision(s.decision);
  await other.page.goBack();
  await other.atTable();
  const card = other.page.locator('.changes', { hasText: 'Since you last looked' });
  await card.waitFor({ timeout: 20_000 });
  // The whole army was set up in the meantime, the unit that moved among it.
  assert.match(await card.innerText(), /Arrived \d+/);
  await shot(other, 'since-1440');
  await card.getByRole('button', { name: 'Replay it' }).click();
  await other.until(() => window.grognard.table.past !== null);
};

/** At the end: the course as a film of the front, from turn to turn, and a picture to keep. */
export const film = async ({ url, person, shot }) => {
  const player = await hotseat(person, url);
  for (let i = 0; i < 400 && (await player.state()).turn < 3; i++) await player.fast({ decisions: 1 });
  await menu(player);
  await player.page.getByRole('button', { name: 'Resign' }).click();
  await player.page.getByRole('button', { name: 'Resign' }).click();
  const end = player.page.getByRole('dialog', { name: 'The end of the game' });
  await end.waitFor();
  const [picture] = await Promise.all([player.page.waitForEvent('download'), end.getByRole('button', { name: 'Save as a picture' }).click()]);
  assert.match(picture.suggestedFilename(), /\.png$/);
  await end.getByRole('button', { name: /as a film/ }).click();
  await player.until(() => window.grognard.table.past?.decision > 0, undefined, 60_000);
  const turns = await player.page.evaluate(() => window.grognard.table.lines.filter((line) => line.entry.level === 0 && /turn$/.test(line.entry.message.key)).map((line) => line.decision));
  const at = await player.page.evaluate(() => window.grognard.table.past.decision);
  assert.ok(turns.includes(at) || at === (await player.state()).decision, `${at} begins a turn: ${turns}`);
  assert.ok((await player.page.evaluate(() => window.grognard.front().length)) > 10, 'the front is drawn');
  await shot(player, 'film-1440');
};

/** In every game the end says who won and why, what it was about and how the score stood. */
export const endings = async ({ url, person, shot }) => {
  for (const [game, scenario] of [['ardennes44', 'st_vith'], ['holland44', 'eindhoven'], ['panzer', 'hafid-duel'], ['wurzburg', 'first-contact']]) {
    const player = await person();
    await player.sitDown(url, game, scenario);
    await player.page.evaluate(() => window.grognard.table.resign(1));
    const end = player.page.getByRole('dialog', { name: 'The end of the game' });
    await end.locator('.score p').first().waitFor({ timeout: 20_000 });
    assert.match(await end.locator('header').innerText(), /victory\.\s+The .* player resigned/);
    assert.match(await end.locator('.score').innerText(), /\d/);
    for (const name of [/as a film/, 'Share as a link', 'Save as a picture', 'Rematch']) assert.equal(await end.getByRole('button', { name }).count(), 1, `${game}: ${name}`);
    assert.deepEqual(await bareKeys(player), []);
    await shot(player, `end-${game}-1440`);
    await end.getByRole('button', { name: 'Look at the map' }).click();
    assert.equal(await end.count(), 0);
  }
};

/** After the game: what the dice were worth, the decisions that cost most, and play on from one of them. */
export const afterwards = async ({ url, person, shot }) => {
  const player = await person();
  await player.sitDown(url, 'ardennes44', 'st_vith');
  const id = await player.gameId();
  await player.fast({ until: ['prompt.attacks'] });
  await player.fast({ decisions: 4, attack: true });
  await menu(player);
  await player.page.getByRole('button', { name: 'Resign' }).click();
  await player.page.getByRole('button', { name: 'Resign' }).click();
  const end = player.page.getByRole('dialog', { name: 'The end of the game' });
  await end.getByText('Who was ahead at the start of each turn').or(end.getByText('in points above')).first().waitFor({ timeout: 60_000 });
  await end.getByRole('button', { name: 'Review the game' }).click();
  await end.locator('.review li').first().waitFor({ timeout: 60_000 });
  for (const text of await end.locator('.review li').allInnerTexts()) {
    const [played, better] = [/^(.*) −/m, /^Better: (.*?)( –|$)/m].map((part) => part.exec(text)?.[1]);
    assert.ok(played && better && played !== better, text);
  }
  await shot(player, 'review-1440');
  await end.getByRole('button', { name: 'Play on from here' }).first().click();
  await player.page.getByRole('dialog', { name: 'Play on from here' }).locator('select').nth(1).selectOption('hotseat');
  await player.page.getByRole('button', { name: 'Open the table' }).click();
  await player.until((old) => window.grognard?.table.id !== old && window.grognard.table.now?.status === 'playing', id);
};
