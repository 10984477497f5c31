// Any decision without a mouse: the keys of the page, arrows on the map, Enter on whatever button has the focus.

/** Walk with the arrow keys to a hex. */
export async function walk(player, place) {
  await player.page.evaluate(() => window.grognard.handle().focus());
  for (let i = 0; i < 200; i++) {
    const arrow = await player.page.evaluate((to) => {
      const { page, handle } = window.grognard;
      if (page.focus === to) return null;
      const g = handle().geometry;
      const a = g.at(page.focus ?? '');
      const b = g.at(to);
      if (!a) return 'ArrowDown';
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      // Half a pitch is what two rows of such a map are shifted by.
      if (Math.abs(dx) > g.pitch * 0.6) return dx > 0 ? 'ArrowRight' : 'ArrowLeft';
      return dy > 0 ? 'ArrowDown' : 'ArrowUp';
    }, place);
    if (arrow === null) return;
    await player.page.keyboard.press(arrow);
  }
  throw new Error(`the arrows do not lead to ${place}`);
}

/** What is listed for some of the subjects of each kind, with what the page makes of it. */
export function offers(player, some = 6) {
  return player.page.evaluate(async (few) => {
    const { table, flow } = window.grognard;
    const ask = flow.ask;
    // The server answers a few questions at once and no more.
    const spread = (list) => list.filter((_, i) => i % Math.ceil(list.length / few) === 0);
    const kinds = Object.entries(flow.subjects).flatMap(([kind, map]) => spread([...map].map(([name, subject]) => ({ kind, name, subject }))));
    const lists = [];
    for (const k of kinds) lists.push(await table.options(ask.seat, k.subject));
    return kinds.flatMap((k, i) =>
      lists[i].map((o) => {
        const words = o.action.split(' ');
        const first = words.findIndex((w) => table.isUnit(w) || table.isPlace(w));
        return { ...k, action: o.action, template: o.template !== undefined && o.template !== null, verb: words.slice(0, first < 0 ? words.length : first).join(' ') };
      }),
    );
  }, some);
}

/** Make one of the `offers`, by keys alone. */
export async function byKeys(player, { kind, name, action, template }) {
  const { page } = player;
  const { decision } = await player.state();
  const gone = async () => (await player.state()).decision !== decision;
  if (/^(done|end|pass)\b/.test(action)) {
    await player.press('d');
    if (!(await gone())) await player.press('d');
    return player.waitDecision(decision);
  }
  if (kind === 'place' && action.startsWith('move ')) await moveStack(player, action);
  else if (!(await pressed(player, action))) {
    if (kind === 'unit') await selectByKeys(player, name);
    else if (kind === 'place') await enter(player, name);
    else if (kind === 'edge') await enter(player, name.split('/')[0]);
    if (!(await gone()) && !(await pressed(player, action)) && !(await player.state()).draft) {
      const to = await page.evaluate((wanted) => {
        const { flow, table } = window.grognard;
        const ways = flow.ways.findIndex((w) => [...w.targets.values()].some((list) => list.some((o) => o.action === wanted)));
        const way = flow.ways[ways];
        const target = way && [...way.targets].find(([, list]) => list.some((o) => o.action === wanted))?.[0];
        const aim = [...flow.aims].find(([, list]) => list.some((o) => o.action === wanted))?.[0];
        return { figure: flow.ways.length > 1 && way !== flow.current ? ways + 1 : null, cell: target ?? (aim ? table.piece(aim).at : null) };
      }, action);
      if (to.cell === null) throw new Error(`no key leads to ${action}: ${JSON.stringify(await player.state())}`);
      if (to.figure) await player.press(String(to.figure));
      if (await page.evaluate((cell) => !!window.grognard.table.cell(cell), to.cell)) await enter(player, to.cell);
      else throw new Error(`${to.cell} is beside the map, and ${action} has no button`);
      if (!(await gone()) && !(await player.state()).draft) await pressed(player, action);
    }
  }
  if (!(await gone()) && (template || (await player.state()).draft)) await fillByKeys(player);
  await player.waitDecision(decision);
}

/** `move A B 2916`: the first unit of the stack, the others with Shift from its panel, then the hex. */
async function moveStack(player, action) {
  const words = action.split(' ').slice(1);
  const [first, ...others] = words.slice(0, -1);
  await selectByKeys(player, first);
  for (const unit of others) {
    await player.page.locator(`button.row[data-piece="${unit}"]`).first().focus({ timeout: 3000 });
    await player.page.keyboard.press('Shift+Enter');
    await player.settle();
  }
  await settleOptions(player);
  await enter(player, words.at(-1));
}

/** Choices that differ in a few words: in each row the word that leads nearer to the action. */
async function choosePart(player, action) {
  const { page } = player;
  const near = async () => {
    const now = (await page.locator('.grid [data-action]').getAttribute('data-action')).split(' ');
    return action.split(' ').filter((word, i) => word === now[i]).length;
  };
  for (const row of await page.locator('.grid [role=radiogroup]').all()) {
    let best = await near();
    for (const chip of await row.locator('[aria-checked="false"]').all()) {
      const before = row.locator('[aria-checked="true"]').first();
      const word = await before.innerText();
      await chip.focus();
      await player.press('Enter');
      const now = await near();
      if (now > best) best = now;
      else {
        await row.getByRole('radio', { name: word, exact: true }).focus();
        await player.press('Enter');
      }
    }
  }
}

/** Its button, by its figure or by Enter while it has the focus. */
export async function pressed(player, action) {
  if (await player.page.locator('.grid [role=radiogroup]').count()) await choosePart(player, action);
  const button = player.page.locator(`[data-action="${action}"]`).first();
  if (!(await button.count())) return false;
  const figure = (await button.locator('kbd').count()) ? (await button.locator('kbd').innerText()).trim() : '';
  if (/^\d$/.test(figure)) {
    await player.page.evaluate(() => document.activeElement?.blur?.());
    await player.press(figure);
  } else {
    await button.focus();
    await player.press('Enter');
  }
  return true;
}

async function enter(player, cell) {
  await walk(player, cell);
  await player.press('Enter');
}

/** A unit on the map by its hex and the panel of its stack, one beside the map by the panel that lists it. */
async function selectByKeys(player, unit) {
  const { page } = player;
  const selected = () => page.evaluate((id) => window.grognard.flow.selected.includes(id), unit);
  if (await selected()) return;
  const at = await player.at(unit);
  const before = (await player.state()).decision;
  if (await page.evaluate((cell) => !!window.grognard.table.cell(cell), at)) {
    await enter(player, at);
    // Where several answers name the unit, pointing at it offers them; a single one that is filled in opens its sheet.
    const offered = () => page.evaluate(() => window.grognard.flow.choices.length > 0 || window.grognard.flow.draft !== null);
    if ((await player.state()).decision !== before || (await selected()) || (await offered())) return settleOptions(player);
    const row = page.locator(`button.row[data-piece="${unit}"]`).first();
    await row.focus({ timeout: 3000 });
  } else {
    await player.press('e');
    const counter = page.locator(`.rows [data-piece="${unit}"]`).first();
    const tabs = page.locator('.tabs [role=tab]');
    for (let i = 0; i < (await tabs.count()) && !(await counter.count()); i++) {
      await tabs.nth(i).focus();
      await player.press('Enter');
    }
    await counter.focus({ timeout: 3000 });
  }
  await player.press('Enter');
  await settleOptions(player);
  if ((await player.state()).decision === before && !(await selected())) throw new Error(`${unit} at ${at} cannot be selected by keys`);
}

async function settleOptions(player) {
  await player.page.waitForFunction(() => window.grognard.flow.options.length > 0 || window.grognard.flow.draft, null, { timeout: 4000 }).catch(() => undefined);
}

/** The sheet: what must be named is named by its digit, or by Enter where Tab or an arrow leads; then Enter. */
async function fillByKeys(player) {
  const { page } = player;
  await page.waitForFunction(() => window.grognard.flow.draft, null, { timeout: 4000 });
  for (let i = 0; i < 12; i++) {
    const { draft } = await player.state();
    if (!draft) return;
    if (draft.ready && draft.verdict === 'legal') break;
    const free = page.locator('.slot [aria-pressed="false"]');
    if (!(await free.count())) break;
    const token = free.first();
    if (await token.locator('kbd').count()) await player.press((await token.locator('kbd').innerText()).trim());
    else {
      await token.focus();
      await player.press(' ');
    }
  }
  await page.evaluate(() => document.activeElement?.blur?.());
  await player.press('Enter');
}
