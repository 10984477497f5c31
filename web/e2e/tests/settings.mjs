// Who I am and how I am reached: names, webhooks, other devices, invitations from the lobby.
import assert from 'node:assert/strict';
import { hotseat } from './common.mjs';

const openSettings = (player) => player.page.locator('.mast .btn.quiet').last().click();

/** The address that is called for play by turns: refused in words, kept, and taken away again. */
export const webhook = async ({ url, person, shot }) => {
  const player = await person();
  await player.open(`${url}/#/`);
  await player.page.getByRole('button', { name: 'Play now' }).first().waitFor();
  await openSettings(player);
  const field = player.page.getByLabel(/Webhook/);
  const form = player.page.locator('form', { has: field });
  const save = () => form.getByRole('button', { name: 'Save' }).click();
  for (const bad of ['not an address', 'ftp://example.org/x', 'http://127.0.0.1/x', 'https://me:secret@example.org/']) {
    await field.fill(bad);
    await save();
    await player.page.getByRole('alert').getByText('The server cannot call that address.').waitFor({ timeout: 5000 });
    assert.equal(await form.getByRole('status').count(), 0, `${bad} was not saved`);
  }
  await shot(player, 'settings-1440');
  const kept = async (address) => {
    await form.getByRole('status').waitFor();
    await player.page.reload();
    await openSettings(player);
    assert.equal(await field.inputValue(), address);
  };
  await field.fill('https://example.org/turns');
  await save();
  await kept('https://example.org/turns');
  await field.fill('');
  await save();
  await kept('');
};

/** A link moves me to another device: the same games, the same seat; it works once. */
export const device = async ({ url, person }) => {
  const player = await hotseat(person, url);
  await player.fast({ decisions: 1 });
  const id = await player.gameId();
  const before = (await player.state()).decision;
  await player.open(`${url}/#/`);
  await player.page.getByRole('button', { name: 'Play now' }).first().waitFor();
  const name = await player.page.locator('.mast .btn.quiet').last().innerText();
  await openSettings(player);
  await player.page.getByRole('button', { name: 'Move to another device' }).click();
  const link = await player.page.getByLabel('Move to another device').inputValue();
  assert.ok(link.startsWith(`${url}/#/device/`), link);

  // The page is open there already: following the link is enough.
  const other = await person({ size: [390, 844], touch: true });
  await other.open(`${url}/#/`);
  await other.page.getByRole('button', { name: 'Play now' }).first().waitFor();
  await other.page.goto(link);
  await other.page.getByRole('button', { name: 'Continue' }).first().waitFor();
  assert.equal(await other.page.locator('.mast .btn.quiet').last().innerText(), name, 'the same person');
  assert.ok(!other.page.url().includes('device'), 'the code does not stay in the address');
  await other.page.getByRole('button', { name: 'Continue' }).first().click();
  await other.atTable();
  assert.equal(await other.gameId(), id);
  await other.fast({ decisions: 1 });
  assert.ok((await other.state()).decision > before, 'who moved there decides there');

  const third = await person();
  await third.page.goto(link);
  await third.page.getByRole('alert').waitFor({ timeout: 5000 });
  await third.page.goto(`${url}/#/table/${id}`);
  await third.atTable();
  assert.equal(await third.page.evaluate(() => window.grognard.table.seats.length), 0, 'the link gives nothing twice');
};

/** A friend with a link, by two clicks: the link is shown at once and leads to the seat. */
export const invitation = async ({ url, person }) => {
  const host = await person();
  await host.open(`${url}/#/`);
  await host.page.getByRole('button', { name: 'Play now' }).first().click();
  await host.page.getByRole('button', { name: 'Friend with a link' }).first().click();
  const link = await host.page.locator('.sent input').inputValue();
  await host.page.getByRole('button', { name: 'Continue' }).click();
  await host.atTable();
  assert.match(await host.page.locator('.prompt').innerText(), /Waiting/);
  const guest = await person();
  await guest.page.goto(link);
  // Opening the link takes no seat and starts no clock: whoever opens it is asked first.
  await guest.page.getByText('You are invited to play').waitFor();
  assert.equal(await host.page.evaluate(() => window.grognard.table.now.status), 'waiting');
  await guest.page.getByRole('button', { name: 'Sit down here' }).click();
  await guest.atTable();
  for (const player of [host, guest]) await player.until(() => window.grognard.table.now.status === 'playing');
};

/** Every sound is heard, none of them is loud, clipped or long; nothing is loaded while sound is off, as it is on a phone. */
export const sounds = async ({ url, person }) => {
  const player = await hotseat(person, url);
  const levels = await player.page.evaluate(async () => {
    const { SOUNDS, render } = await window.grognard.synth();
    const rate = 44_100;
    const out = [];
    for (const sound of SOUNDS) {
      const samples = await render(sound, rate, 2);
      const peak = samples.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      const last = samples.findLastIndex((x) => Math.abs(x) > 0.001);
      const frame = Math.round(rate / 20);
      let loudest = 0;
      for (let i = 0; i + frame < samples.length; i += frame / 5) {
        let sum = 0;
        for (let j = i; j < i + frame; j++) sum += samples[j] ** 2;
        loudest = Math.max(loudest, sum / frame);
      }
      out.push({ sound, peak: 20 * Math.log10(peak), loudest: 10 * Math.log10(loudest), seconds: last / rate });
    }
    return out;
  });
  for (const { sound, peak, loudest, seconds } of levels) {
    assert.ok(peak < -3, `${sound} leaves room to the limit: ${peak.toFixed(1)} dBFS`);
    assert.ok(loudest > -40 && loudest < -9, `${sound} is heard and not loud: ${loudest.toFixed(1)} dBFS`);
    assert.ok(seconds > 0.05 && seconds < 1.6, `${sound} takes ${seconds.toFixed(2)} s`);
  }

  // On a desk sound is on, and one click mutes it; a phone is silent until it is asked to make sounds.
  const fresh = async (options) => {
    const other = await person(options);
    await other.page.context().addInitScript(() => {
      Object.defineProperty(navigator, 'webdriver', { get: () => false });
      localStorage.setItem('grognard.prefs', '{"language":"en","pace":"off"}');
    });
    const loaded = [];
    other.page.on('request', (request) => /synth/.test(request.url()) && loaded.push(request.url()));
    await other.sitDown(url, 'ardennes44', 'st_vith');
    await other.fast({ until: ['prompt.movement'] });
    const { decision, targets } = await other.selectMover();
    await other.click(targets[0]);
    await other.waitDecision(decision);
    await other.page.waitForTimeout(300);
    return { other, loaded };
  };
  const phone = await fresh({ size: [390, 844], touch: true });
  assert.deepEqual(phone.loaded, []);
  const desk = await fresh({});
  assert.ok(desk.loaded.length > 0, 'a desk is heard');
  const mute = desk.other.page.getByRole('button', { name: 'Sound' });
  assert.equal(await mute.getAttribute('aria-pressed'), 'true');
  await mute.click();
  assert.equal(await mute.getAttribute('aria-pressed'), 'false');
  assert.equal(await desk.other.page.evaluate(() => JSON.parse(localStorage.getItem('grognard.prefs')).sound), false);
};
