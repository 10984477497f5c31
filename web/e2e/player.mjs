// A player at a page: looks at what the table offers and points at it with mouse, touch or keys, as a person would.
// Positions are read from the page (`window.grognard`), everything else is done through the interface.

export class Player {
  constructor(page, { touch = false } = {}) {
    this.page = page;
    this.touch = touch;
    this.errors = [];
    page.on('pageerror', (e) => this.errors.push(e.message));
  }

  async open(url) {
    await this.page.goto(url);
  }

  async atTable() {
    await this.page.waitForSelector('[data-board]', { timeout: 20_000 });
    await this.page.waitForFunction(() => window.grognard?.handle() && window.grognard.table.now, null, { timeout: 20_000 });
    await this.page.waitForTimeout(150);
  }

  gameId() {
    return this.page.evaluate(() => window.grognard.table.id);
  }

  state() {
    return this.page.evaluate(() => {
      const { table, flow } = window.grognard;
      return {
        decision: table.now?.decision ?? 0,
        turn: table.view.turn?.number ?? 0,
        phase: table.view.turn?.phase.key ?? '',
        status: table.now?.status ?? '',
        asked: flow.ask ? { seat: flow.ask.seat, key: flow.ask.prompt.message.key, rule: flow.ask.prompt.rule, subjects: flow.ask.subjects.length } : null,
        selected: [...flow.selected],
        targets: flow.current ? [...flow.current.targets.keys()] : [],
        way: flow.current?.key ?? null,
        ways: flow.ways.map((w) => w.key),
        draft: flow.draft ? { action: flow.draft.action, ready: flow.draft.ready, verdict: flow.draft.verdict, sheet: flow.draft.sheet } : null,
        buttons: flow.buttons.map((b) => b.action),
        deeds: flow.deeds.map((b) => b.action),
        direct: flow.direct.map((b) => b.action),
        units: [...flow.subjects.unit.keys()],
        places: [...flow.subjects.place.keys()],
        edges: [...flow.subjects.edge.keys()],
        lines: table.lines.length,
        problem: flow.problem,
        refusal: flow.refusal?.refusal ?? null,
      };
    });
  }

  /** Bring a place into sight and give the point to click. */
  async pointOf(place) {
    await this.page.evaluate((p) => {
      const h = window.grognard.handle();
      const at = h.geometry.locate(p);
      if (!at) throw new Error(`no place ${p}`);
      h.camera.scale = Math.max(h.camera.scale, 60 / h.geometry.pitch);
      h.camera.x = at.x;
      h.camera.y = at.y;
      h.camera.clamp();
      h.redraw();
    }, place);
    await this.page.waitForTimeout(60);
    return this.page.evaluate((p) => window.grognard.handle().screen(p), place);
  }

  async click(place) {
    const at = await this.pointOf(place);
    if (this.touch) await this.page.touchscreen.tap(at.x, at.y);
    else await this.page.mouse.click(at.x, at.y);
    await this.settle();
  }

  /** Until the answers to what was pointed at have come. */
  async settle() {
    await this.page.waitForTimeout(120);
    const curtain = this.page.locator('.curtain .btn');
    if (await curtain.count()) await curtain.click();
    await this.page.waitForFunction(() => !window.grognard.flow.busy && !window.grognard.flow.draft?.asking, null, { timeout: 10_000 }).catch(() => undefined);
  }

  async press(key) {
    await this.page.keyboard.press(key);
    await this.settle();
  }

  /** Wait until the game has gone on. */
  async until(condition, arg, timeout = 15_000) {
    await this.page.waitForFunction(condition, arg, { timeout });
    await this.page.waitForTimeout(80);
  }

  async waitDecision(n) {
    await this.until((d) => (window.grognard.table.now?.decision ?? 0) > d, n);
    await this.settle();
  }

  /** A unit that can move, selected with the Space key; its reach is on the map. */
  async selectMover() {
    for (let i = 0; i < 60; i++) {
      await this.press(' ');
      await this.page.waitForTimeout(80);
      const s = await this.state();
      if (s.selected.length && s.targets.length && /^move\b/.test(s.way ?? '')) return s;
    }
    throw new Error(`no unit can move: ${JSON.stringify(await this.state())}`);
  }

  /** Finish what is asked: the button at the end, confirming the warning. */
  async done() {
    const before = (await this.state()).decision;
    await this.press('d');
    if ((await this.state()).decision === before) await this.press('d');
    await this.waitDecision(before);
  }

  /** Answer any question with something legal, through the interface. Prefers what the caller likes. */
  async answer(prefer = () => 0) {
    const s = await this.state();
    if (!s.asked) throw new Error(`nothing is asked: ${JSON.stringify(s)}`);
    const before = s.decision;
    if (s.draft?.ready && (s.draft.verdict === 'legal' || s.draft.verdict === null)) {
      await this.press('Enter');
    } else {
      const choices = [...new Set([...s.buttons, ...s.direct])].sort((a, b) => prefer(b) - prefer(a));
      const choice = choices[0];
      if (choice !== undefined) await this.choose(choice);
      else if (s.units.length) {
        await this.pickUnit(s.units[0]);
        const now = await this.state();
        if (now.decision === before && now.targets.length) await this.click(now.targets[0]);
        else if (now.decision === before && now.deeds.length) await this.choose(now.deeds[0]);
      } else if (s.places.length) await this.click(s.places[0]);
    }
    const now = await this.state();
    if (now.draft && now.decision === before) await this.fill();
    await this.waitDecision(before);
  }

  /** Choose an option by its notation: its button if it has one, else the place or unit it names. */
  async choose(action) {
    const found = await this.page.evaluate((wanted) => {
      const { flow, table } = window.grognard;
      const option = [...flow.direct, ...flow.options].find((o) => o.action === wanted);
      if (!option) return null;
      const tokens = wanted.split(' ');
      return { place: tokens.filter((t) => table.isPlace(t) && !t.includes('/')).at(-1) ?? null, unit: tokens.find((t) => table.isUnit(t)) ?? null };
    }, action);
    if (!found) throw new Error(`no such option: ${action}`);
    const button = this.page.locator(`[data-action="${action}"]`);
    if (await button.count()) {
      await button.first().click();
      await this.settle();
      const warned = await this.page.evaluate(() => window.grognard.flow.warned !== null);
      if (warned) await this.press('d');
    } else if (found.place) await this.click(found.place);
    else throw new Error(`no button for ${action}`);
  }

  async pickUnit(unit) {
    const at = await this.page.evaluate((id) => window.grognard.table.piece(id)?.at, unit);
    const stacked = await this.page.evaluate((cell) => window.grognard.handle().stackAt(cell)?.pieces.length ?? 0, at);
    if (stacked <= 1) await this.click(at);
    else {
      // A stack: spread it out and take the counter.
      const p = await this.pointOf(at);
      await this.page.mouse.move(p.x + 200, p.y + 150);
      await this.page.mouse.move(p.x, p.y, { steps: 3 });
      const counter = this.page.locator(`.fan [data-piece="${unit}"]`);
      await counter.waitFor({ timeout: 4000 });
      await counter.click();
      await this.settle();
    }
  }

  /** Fill a sheet: take candidates until it is legal, then confirm. */
  async fill() {
    for (let i = 0; i < 12; i++) {
      const { draft } = await this.state();
      if (!draft) return;
      if (draft.ready && draft.verdict === 'legal') break;
      const free = this.page.locator('.slot [aria-pressed="false"]');
      if ((await free.count()) === 0) break;
      await free.first().click();
      await this.settle();
    }
    await this.page.keyboard.press('Enter');
  }

  screenshot(path) {
    return this.page.screenshot({ path });
  }
}
