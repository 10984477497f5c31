// A pupil: takes a lesson from its first step to its last, doing what each step asks.
import assert from 'node:assert/strict';

/** Begin a game's lesson in the lobby: `game` is the name on its card, `button` the words on the button. */
export async function begin(player, url, game, button = /^Learn in ten/) {
  await player.open(`${url}/#/`);
  await player.page.locator('article', { hasText: game }).getByRole('button', { name: button }).click({ timeout: 60_000 });
  await player.atTable();
  await player.page.locator('.tour').waitFor({ timeout: 20_000 });
}

/** Which step it is, of how many, and what is to be done. */
export const step = (player) =>
  player.page.evaluate(() => {
    const tour = document.querySelector('.tour');
    const [n, of] = /(\d+) of (\d+)/.exec(tour?.querySelector('header .muted')?.textContent ?? '')?.slice(1).map(Number) ?? [];
    return tour ? { n, of, deed: tour.dataset.deed, words: tour.innerText } : null;
  });

/** What each kind of deed asks for; `go` is one decision of the game at hand. */
const plain = {
  zoom: async (player) => {
    for (let k = 0; k < 2; k++) await player.press('+');
  },
  overlay: async (player, id) => {
    const letter = await player.page.evaluate((wanted) => window.grognard.overlays.list.find((o) => o.id === wanted)?.key, id);
    await player.press(letter.toLowerCase());
  },
  select: (player) => player.selectMover().catch(() => player.press(' ')),
};

/**
 * Go through the whole lesson. `deeds` says how a deed is done where that is the game's own (by its whole text or its kind); whatever
 * is left is done by `onward`, one decision at a time, until the step is over. Returns the steps that were seen.
 */
export async function learn(player, { deeds = {}, onward, shot = async () => {}, most = 220 }) {
  const seen = [];
  for (let i = 0; i < most; i++) {
    const now = await step(player);
    assert.ok(now, `the lesson is there after ${seen}`);
    if (seen.at(-1) !== now.n) {
      seen.push(now.n);
      await shot(now);
    }
    if (now.n === now.of) return seen;
    const [kind, what] = (now.deed ?? '').split(':');
    const deed = deeds[now.deed] ?? deeds[kind] ?? plain[kind];
    if (!now.deed) await player.page.locator('.tour').getByRole('button', { name: 'Next' }).click();
    else if (deed) await deed(player, what);
    else await onward(player);
    await player.page.waitForFunction((n) => !document.querySelector('.tour header .muted')?.textContent.startsWith(`${n} of`), now.n, { timeout: deed || !now.deed ? 4000 : 300 }).catch(() => undefined);
  }
  const last = await step(player);
  throw new Error(`the lesson stays at step ${last?.n} of ${last?.of} (${last?.deed}) after ${most} attempts: ${JSON.stringify(await player.state())}`);
}

/** All that the seat which is asked at this screen may do now. */
export const all = (player) =>
  player.page.evaluate(async () => {
    const { table, flow } = window.grognard;
    const out = [];
    for (const ask of table.now.asks.filter((one) => one.seat === flow.seat)) for (const subject of ask.subjects) for (const o of await table.options(ask.seat, subject)) out.push({ seat: ask.seat, key: ask.prompt.message.key, action: o.action, template: o.template ?? null });
    return out;
  });

/** Decide. A form is filled with what it suggests, or with as little as it needs. */
export async function decide(player, { seat, action, template }) {
  const { decision } = await player.state();
  const filled = template ? template.parts.map((p) => [p.words, ...(p.kind === 'words' ? [] : p.suggested.length >= p.min ? p.suggested : p.candidates.slice(0, p.min))].join(' ')).join(' ').trim() : action;
  await player.page.evaluate(([by, words]) => window.grognard.table.act(by, words), [seat, filled]);
  await player.page.waitForFunction((d) => window.grognard.table.now.decision > d || window.grognard.table.now.status === 'over', decision, { timeout: 10_000 });
  await player.settle();
}
