// *Settle it*: a position of any game as a lab, its ground and units changed, shared as a link, run by the program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const GAMES = [
  ['holland44', 'eindhoven', 'woods'],
  ['panzer', 'hafid-duel', 'medium_grove'],
  ['wurzburg', 'first-contact', 'heavy_woods'],
];

export const settleIt = async ({ url, person, shot }) => {
  for (const [game, scenario, kind] of GAMES) {
    const player = await person();
    const { page } = player;
    await player.sitDown(url, game, scenario);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.locator('[data-lab]').click();
    const answers = page.locator('.answers');
    // The answer says it in the words of the game.
    const ground = new RegExp(`^${kind.replace('_', ' ')}$`, 'i');
    const file = () => page.evaluate(() => sessionStorage.getItem('grognard.lab'));
    // The position stands as it was at the table.
    await page.locator('.unit').first().waitFor({ timeout: 20_000 });
    await answers.getByText('Nothing is done or asked yet.').waitFor({ timeout: 20_000 });
    const hex = await page.locator('.unit input').first().inputValue();
    // The ground below a unit is another one; the rules answer for it.
    await page.locator('input.place').fill(hex);
    await page.locator('select').nth(1).selectOption(kind);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.waitForFunction((h) => sessionStorage.getItem('grognard.lab').includes('[map]') && document.querySelector('input.place').value === '', hex, { timeout: 20_000 });
    assert.equal(await answers.locator('.bad').count(), 0, `${game}: ${await answers.innerText()}`);
    await page.getByPlaceholder('victory').fill(`hex ${hex}`);
    await page.getByRole('button', { name: 'Add' }).click();
    await answers.getByText(ground).first().waitFor({ timeout: 20_000 });
    // A unit is taken away.
    const before = await page.locator('.unit').count();
    await page.locator('.unit button').last().click();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.waitForFunction((n) => document.querySelectorAll('.unit').length === n - 1, before);
    await answers.getByText(ground).first().waitFor({ timeout: 20_000 });
    await shot(player, `settle-${game}-1440`);
    // The link holds all of it, for anybody.
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.waitForFunction(() => location.hash.length > 40);
    const other = await person();
    await other.page.goto(page.url());
    await other.page.locator('.answers').getByText(ground).first().waitFor({ timeout: 20_000 });
    assert.equal(await other.page.evaluate(() => sessionStorage.getItem('grognard.lab')), await file());
    // The program answers the same.
    if (process.env.GROGNARD_BIN) {
      const path = join(mkdtempSync(join(tmpdir(), 'grognard-lab-')), `${game}.toml`);
      writeFileSync(path, await file());
      assert.match(execFileSync(process.env.GROGNARD_BIN, ['lab', path]).toString(), new RegExp(kind));
    }
  }
};

/** A refusal and a sheet lead to the lab with their own question, and the rules answer it in words. */
export const settleFrom = async ({ url, person, shot }) => {
  for (const [game, scenario] of [['ardennes44', 'st_vith'], ['holland44', 'eindhoven']]) {
    const player = await person();
    const { page } = player;
    await player.sitDown(url, game, scenario);
    await player.fast({ until: ['prompt.movement'] });
    const [unit] = (await player.state()).units;
    await player.pickUnit(unit);
    // The nearest hex, some way off, to which it may not go.
    const far = await page.evaluate((id) => {
      const { table, flow, handle } = window.grognard;
      const { geometry } = handle();
      const at = geometry.locate(table.piece(id).at);
      const away = (cell) => Math.hypot(geometry.locate(cell.id).x - at.x, geometry.locate(cell.id).y - at.y) / geometry.pitch;
      return table.board.cells.filter((cell) => !flow.current?.targets.has(cell.id) && away(cell) > 3).sort((a, b) => away(a) - away(b))[0].id;
    }, unit);
    await player.click(far);
    await page.getByRole('button', { name: 'Settle it' }).first().click();
    const answers = page.locator('.answers');
    await answers.getByText(`why ${unit} ${far}`).waitFor({ timeout: 20_000 });
    await answers.locator('dd a').first().waitFor({ timeout: 20_000 });
    assert.match(await answers.innerText(), /legal\s+no[\s\S]*why\s+[A-Z].{10,}/, `${game}: the rules say why not`);
    await shot(player, `settle-refused-${game}-1440`);
  }
  const player = await person();
  await player.sitDown(url, 'ardennes44', 'st_vith');
  await player.fast({ until: ['prompt.attacks'] });
  await player.click((await player.bestAttack()).target);
  await player.page.getByRole('button', { name: 'Settle it' }).last().click();
  const answers = player.page.locator('.answers');
  await answers.getByText(/Defense/).first().waitFor({ timeout: 20_000 });
  assert.match(await answers.innerText(), /Column[\s\S]*\d+%/);
  await shot(player, 'settle-sheet-1440');
};

/** From a sheet: the dice are chosen, the attack is made, its events are told in words; the file that is downloaded runs. */
export const settleFight = async ({ url, person, shot }) => {
  const player = await person();
  const { page } = player;
  await player.sitDown(url, 'holland44', 'eindhoven');
  await player.fast({ until: ['prompt.combat'] });
  await player.click((await player.bestAttack()).target);
  await page.getByRole('button', { name: 'Settle it' }).last().waitFor();
  const { action } = (await player.state()).draft;
  await page.getByRole('button', { name: 'Settle it' }).last().click();
  const answers = page.locator('.answers');
  await answers.getByText('Column').first().waitFor({ timeout: 20_000 });
  const dice = page.getByRole('textbox', { name: 'Dice' });
  await dice.fill('6, 6, 6, 6');
  await dice.blur();
  await page.getByLabel('Kind of step').selectOption('do');
  await page.getByRole('textbox', { name: 'Step', exact: true }).fill(`allied: ${action}`);
  await page.getByRole('button', { name: 'Add' }).click();
  await answers.locator('li', { hasText: 'attacked' }).first().waitFor({ timeout: 20_000 });
  const told = await answers.locator('article').last().innerText();
  assert.match(told, /Rolled: 6/);
  assert.doesNotMatch(told, /log\.|kind|roll\.combat/, 'in words');
  await shot(player, 'settle-fight-1440');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download file' }).click()]);
  const path = join(mkdtempSync(join(tmpdir(), 'grognard-lab-')), 'lab.toml');
  await file.saveAs(path);
  if (process.env.GROGNARD_BIN) assert.match(execFileSync(process.env.GROGNARD_BIN, ['lab', path]).toString(), /ok: 2 steps/);
};
