// Takes the pictures of the table that README.md shows again: `npm run pictures [-- NAME…]`, with GROGNARD_BIN as for the browser
// tests. GROGNARD_PICTURES names another folder than docs/img.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeBrowser, person } from './browser.mjs';
import { toFight } from './look/positions.mjs';
import { startServer } from './server.mjs';

const FOLDER = process.env.GROGNARD_PICTURES ?? new URL('../../docs/img/', import.meta.url).pathname;
const QUALITY = 0.86;

/** Until the map is drawn, the fonts are there and nothing moves any more. */
async function still(player) {
  await player.settle();
  await player.page.evaluate(() => document.fonts.ready);
  await player.page.waitForFunction(() => window.grognard.handle().mapComplete(), null, { timeout: 60_000 });
  await player.page.waitForTimeout(1500);
}

async function shot(player) {
  await still(player);
  return player.page.screenshot();
}

const closeOrders = async (player) => {
  const orders = player.page.locator('.orders header .btn');
  if (await orders.count()) await orders.first().click();
};

/** A German stack at the front is selected, and the pointer is over a hex that it may not enter. */
async function refused(player) {
  await player.fast({ until: ['prompt.movement'] });
  await closeOrders(player);
  const { selected, targets } = await player.selectMover();
  const here = await player.at(selected[0]);
  await player.pointOf(here);
  const shut = await player.page.evaluate(
    ([cell, open]) => {
      const { geometry } = window.grognard.handle();
      const at = geometry.locate(cell);
      const near = window.grognard.table.board.cells.filter((c) => {
        const there = geometry.locate(c.id);
        const empty = !window.grognard.handle().stackAt(c.id)?.pieces.length;
        return there && empty && Math.hypot(there.x - at.x, there.y - at.y) < 2.2 * geometry.pitch;
      });
      return near.map((c) => c.id).find((id) => !open.includes(id)) ?? null;
    },
    [here, targets],
  );
  if (!shut) throw new Error(`${selected[0]} may go everywhere`);
  const at = await player.page.evaluate((cell) => window.grognard.handle().screen(cell), shut);
  await player.page.mouse.move(at.x - 4, at.y);
  await player.page.mouse.move(at.x, at.y, { steps: 3 });
  await player.page.locator('.tip .rule').first().waitFor({ timeout: 20_000 });
}

const ardennes = async (url, options, more) => {
  const player = await person({ dice: 1, ...options });
  await player.sitDown(url, 'ardennes44', 'six_turn');
  await more(player);
  return player;
};

/** What is to be seen on each picture: one screenshot, or several side by side. */
const pictures = {
  odds: async (url) => {
    const player = await ardennes(url, {}, async (p) => {
      await p.fast({ until: ['prompt.attacks'] });
      await closeOrders(p);
      await toFight(p);
    });
    return [await shot(player)];
  },
  refused: async (url) => [await shot(await ardennes(url, {}, refused))],
  korean: async (url) => [await shot(await ardennes(url, { prefs: { language: 'ko' } }, refused))],
  devices: async (url) => {
    const tablet = await ardennes(url, { size: [1024, 768], touch: true, prefs: { theme: 'dark' } }, async (p) => {
      await p.fast({ until: ['prompt.movement'] });
      await closeOrders(p);
      await p.selectMover();
      await p.press('z');
    });
    const phone = await ardennes(url, { size: [361, 768], touch: true }, async (p) => {
      await p.fast({ until: ['prompt.movement'] });
      await closeOrders(p);
      await p.selectMover();
    });
    return [await shot(tablet), await shot(phone)];
  },
  panzer: async (url) => {
    const player = await person({ dice: 1 });
    await player.sitDown(url, 'panzer', 'sidi-rezegh');
    await player.fast({ until: ['prompt.commands'] });
    await closeOrders(player);
    for (let i = 0; i < 2; i++) {
      const seat = await player.page.evaluate(async () => {
        const { table } = window.grognard;
        const { seat, subjects } = table.now.asks[0];
        for (const subject of subjects) {
          const shoot = (await table.options(seat, subject)).find((o) => /^command \S+ fire$/.test(o.action));
          if (shoot) await table.act(seat, shoot.action);
        }
        await table.act(seat, 'done');
        return seat;
      });
      await player.until((before) => window.grognard.table.now?.asks.some((ask) => ask.seat !== before || ask.prompt.message.key !== 'prompt.commands'), seat, 60_000);
      await player.settle();
    }
    await player.fast({ until: ['prompt.direct_fire_first', 'prompt.direct_fire_second'] });
    const { units } = await player.state();
    const shooter = await player.page.evaluate((ids) => ids.find((id) => window.grognard.table.piece(id)?.seat === window.grognard.flow.ask.seat), units);
    await player.pickUnit(shooter);
    await player.until(() => window.grognard.flow.aims.size > 0, null, 60_000);
    const [target] = await player.page.evaluate(() => [...window.grognard.flow.aims.keys()]);
    await player.pickUnit(target);
    await player.until(() => (window.grognard.flow.draft?.sheet?.lines.length ?? 0) > 0, null, 60_000);
    return [await shot(player)];
  },
  holland44: async (url) => {
    const player = await person({ dice: 1 });
    await player.sitDown(url, 'holland44', 'short_game');
    await closeOrders(player);
    await player.press('l');
    await player.press(' ');
    await player.until(() => (window.grognard.flow.current?.targets.size ?? 0) > 0, null, 60_000);
    const at = await player.pointOf((await player.state()).targets[0]);
    await player.page.mouse.move(at.x - 4, at.y);
    await player.page.mouse.move(at.x, at.y, { steps: 3 });
    await player.page.locator('.tip').first().waitFor({ timeout: 20_000 });
    return [await shot(player)];
  },
  wurzburg: async (url) => {
    const player = await person({ dice: 1 });
    await player.sitDown(url, 'wurzburg', 'first-contact');
    await closeOrders(player);
    await player.press(' ');
    const { decision } = await player.state();
    await player.page.locator('.bar .btn', { hasText: 'Hasty Attack' }).first().click({ timeout: 60_000 });
    await player.waitDecision(decision);
    await player.press(' ');
    await player.press('c');
    return [await shot(player)];
  },
};

/** Screenshots side by side as one WebP picture. */
async function encode(shots) {
  const { page } = await person({ dice: null });
  const data = await page.evaluate(
    async ([list, quality, gap]) => {
      const images = await Promise.all(list.map(async (one) => createImageBitmap(await (await fetch(`data:image/png;base64,${one}`)).blob())));
      const canvas = document.createElement('canvas');
      canvas.width = images.reduce((sum, image) => sum + image.width, gap * (images.length - 1));
      canvas.height = Math.max(...images.map((image) => image.height));
      let x = 0;
      for (const image of images) {
        canvas.getContext('2d').drawImage(image, x, 0);
        x += image.width + gap;
      }
      return canvas.toDataURL('image/webp', quality);
    },
    [shots.map((one) => one.toString('base64')), QUALITY, 10],
  );
  await page.context().close();
  return Buffer.from(data.split(',')[1], 'base64');
}

const only = process.argv.slice(2);
const server = await startServer();
let failed = 0;
for (const [name, take] of Object.entries(pictures)) {
  if (only.length && !only.includes(name)) continue;
  try {
    writeFileSync(join(FOLDER, `${name}.webp`), await encode(await take(server.url)));
    console.log(`${name}.webp`);
  } catch (error) {
    failed++;
    console.log(`${name}: ${error}`);
  }
}
await closeBrowser();
await server.stop();
process.exit(failed ? 1 : 0);
