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
    await answers.getByText(kind).first().waitFor({ timeout: 20_000 });
    // A unit is taken away.
    const before = await page.locator('.unit').count();
    await page.locator('.unit button').last().click();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.waitForFunction((n) => document.querySelectorAll('.unit').length === n - 1, before);
    await answers.getByText(kind).first().waitFor({ timeout: 20_000 });
    await shot(player, `settle-${game}-1440`);
    // The link holds all of it, for anybody.
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.waitForFunction(() => location.hash.length > 40);
    const other = await person();
    await other.page.goto(page.url());
    await other.page.locator('.answers').getByText(kind).first().waitFor({ timeout: 20_000 });
    assert.equal(await other.page.evaluate(() => sessionStorage.getItem('grognard.lab')), await file());
    // The program answers the same.
    if (process.env.GROGNARD_BIN) {
      const path = join(mkdtempSync(join(tmpdir(), 'grognard-lab-')), `${game}.toml`);
      writeFileSync(path, await file());
      assert.match(execFileSync(process.env.GROGNARD_BIN, ['lab', path]).toString(), new RegExp(kind));
    }
  }
};
