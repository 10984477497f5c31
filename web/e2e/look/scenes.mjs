// What is looked at: each scene is prepared once, by whoever `begin` returns, and then shown in every language and size by `show`.
import { toFight } from './positions.mjs';

const table = (game, scenario, ready = async () => {}) => ({
  begin: async (player, url) => {
    await player.sitDown(url, game, scenario);
    await ready(player);
    return `#/table/${await player.gameId()}`;
  },
  show: (player) => player.atTable(),
});

const lobby = (hash, seen) => ({
  begin: async (player, url) => (await player.enter(url), hash),
  show: async (player) => {
    await player.page.locator(seen).first().waitFor({ timeout: 60_000 });
    await player.page.waitForTimeout(500);
  },
});

/** What lies over the table once it stands. */
const then = (scene, more) => ({ ...scene, show: async (player) => (await scene.show(player), await more(player)) });

const resigned = async (player) => {
  await player.fast({ until: ['prompt.attacks'] });
  await player.fast({ decisions: 6, attack: true });
  await player.page.evaluate(() => window.grognard.table.resign(window.grognard.table.now.asks[0].seat));
  await player.page.waitForTimeout(500);
};

const ardennes = table('ardennes44', 'st_vith');
const fight = table('ardennes44', 'st_vith', (player) => player.fast({ until: ['prompt.attacks'] }));
const ended = table('ardennes44', 'st_vith', resigned);

export const scenes = {
  lobby: lobby('#/', '.games article .thumb'),
  settings: then(lobby('#/', '.games article .thumb'), (player) => player.page.locator('.mast .btn.quiet').last().click()),
  'brief-ardennes': lobby('#/new/ardennes44', '.briefing'),
  'brief-holland': lobby('#/new/holland44', '.briefing'),
  'brief-panzer': lobby('#/new/panzer', '.briefing'),
  'brief-wurzburg': lobby('#/new/wurzburg', '.briefing'),
  rules: lobby('#/rules/ardennes44/10.2', 'main h1, main h2'),
  lab: lobby('#/lab', 'main .columns'),
  'open-ardennes': ardennes,
  'open-campaign': table('ardennes44', 'campaign'),
  'open-holland': table('holland44', 'short_game'),
  'open-panzer': table('panzer', 'chouigui'),
  'open-advanced': table('panzer', 'picket-at-the-well'),
  'open-wurzburg': table('wurzburg', 'first-contact'),
  menu: then(ardennes, (player) => player.page.locator('.menu-button, [aria-haspopup], header .btn').last().click()),
  odds: then(fight, (player) => toFight(player)),
  end: then(ended, async (player) => {
    await player.page.locator('[role=dialog] h2').first().waitFor({ timeout: 30_000 });
    await player.page.waitForTimeout(1500);
  }),
};
