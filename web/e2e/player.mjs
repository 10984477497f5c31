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
    await this.page.waitForSelector('[data-board]', { timeout: 60_000 });
    await this.page.waitForFunction(() => window.grognard?.handle() && window.grognard.table.now, null, { timeout: 20_000 });
    await this.answered();
  }

  /** Until the page has drawn what is new and no question of its own waits for an answer. */
  async answered() {
    const frames = () => this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await frames();
    await this.page.waitForFunction(() => !window.grognard || window.grognard.table.quiet, null, { timeout: 10_000, polling: 20 }).catch(() => undefined);
    await frames();
  }

  /** A table of one's own, with everybody at this screen, advice allowed and the optional rules as the form proposes them. */
  async sitDown(url, game, scenario) {
    await this.enter(url);
    await this.seat(url, 'games', ([wanted, name]) => ({ setup: { game: wanted.id, scenario: name, edition: null, options: wanted.options.filter((o) => o.default).map((o) => o.id) } }), game, scenario);
  }

  /** A saved game goes on, with everybody at this screen. */
  async goOn(url, game, journal) {
    await this.enter(url);
    await this.seat(url, 'import', ([, text]) => ({ journal: text }), game, journal);
  }

  /** Become a guest without opening the lobby. */
  async enter(url) {
    if (!this.page.url().startsWith(url)) await this.page.goto(`${url}/icon.svg`);
    await this.page.evaluate(async () => {
      if (localStorage.getItem('grognard.token')) return;
      const made = await fetch('/api/guest', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"language":"en"}' });
      localStorage.setItem('grognard.token', (await made.json()).token);
    });
  }

  async seat(url, what, body, game, value) {
    const catalogue = await this.page.evaluate(async () => (await fetch('/api/catalogue')).json());
    const { info } = catalogue.find((item) => item.info.id === game);
    const seats = info.seats.map((_, i) => ({ kind: i ? 'hotseat' : 'me' }));
    const id = await this.page.evaluate(
      async ([to, sent]) => {
        const headers = { authorization: `Bearer ${localStorage.getItem('grognard.token')}`, 'content-type': 'application/json' };
        const made = await (await fetch(`/api/${to}`, { method: 'POST', headers, body: JSON.stringify(sent) })).json();
        if (!made.game) throw new Error(JSON.stringify(made));
        return made.game.id;
      },
      [what, { ...body([info, value]), seats, analysis: true }],
    );
    await this.page.goto(`${url}/#/table/${id}`);
    await this.page.waitForFunction((wanted) => window.grognard?.table.id === wanted, id, { timeout: 60_000 });
    await this.atTable();
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
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    const at = await this.page.evaluate((p) => window.grognard.handle().screen(p), place);
    // The card of the beginning may lie on the hex: a person closes it first.
    const covered = await this.page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('.orders') != null, at);
    if (covered) await this.page.locator('.orders header .btn').click();
    return at;
  }

  async click(place) {
    const at = await this.pointOf(place);
    if (this.touch) await this.page.touchscreen.tap(at.x, at.y);
    else await this.page.mouse.click(at.x, at.y);
    await this.settle();
  }

  /** Until the answers to what was pointed at have come. */
  async settle() {
    await this.answered();
    const curtain = this.page.locator('.curtain .btn');
    if (await curtain.count()) await curtain.first().click();
    await this.page.waitForFunction(() => !window.grognard.flow.busy && !window.grognard.flow.draft?.asking, null, { timeout: 10_000 }).catch(() => undefined);
  }

  async press(key) {
    await this.page.keyboard.press(key);
    await this.settle();
  }

  /** Wait until the game has gone on. */
  async until(condition, arg, timeout = 15_000) {
    await this.page.waitForFunction(condition, arg, { timeout });
  }

  async waitDecision(n) {
    await this.until((d) => (window.grognard.table.now?.decision ?? 0) > d, n);
    await this.settle();
  }

  /** A unit that can move, selected with the Space key; its reach is on the map. */
  async selectMover(others = [], { alone = false } = {}) {
    for (let i = 0; i < 60; i++) {
      await this.press(' ');
      await this.page.waitForFunction(() => window.grognard.flow.options.length > 0, null, { timeout: 3000 }).catch(() => undefined);
      const s = await this.state();
      if (s.selected.length && s.targets.length && /^move\b/.test(s.way ?? '') && !others.includes(s.selected[0]) && (!alone || (await this.isAlone(s.selected[0])))) return s;
    }
    throw new Error(`no unit can move: ${JSON.stringify(await this.state())}`);
  }

  isAlone(unit) {
    return this.page.evaluate((id) => window.grognard.handle().stackAt(window.grognard.table.piece(id).at)?.pieces.length === 1, unit);
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
    else if (found.unit) await this.pickUnit(found.unit);
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

  /** Where a unit is. */
  at(unit) {
    return this.page.evaluate((id) => window.grognard.table.piece(id)?.at ?? null, unit);
  }

  /** The first unit and the last place that an action names. */
  tokens(action) {
    return this.page.evaluate((text) => {
      const { table } = window.grognard;
      const words = text.split(' ');
      return { unit: words.find((w) => table.isUnit(w)) ?? null, place: words.filter((w) => table.isPlace(w)).at(-1) ?? null };
    }, action);
  }

  /** What makes two tables the same. */
  snapshot() {
    return this.page.evaluate(() => {
      const { table } = window.grognard;
      const pieces = table.live.pieces.map((p) => `${p.id} ${p.at} ${(p.states ?? []).join()}`).sort();
      return { id: table.id, decision: table.now.decision, lines: table.lines.length, pieces };
    });
  }

  /** The attack with the best odds, as the game reckons them: its target and its whole text. */
  bestAttack() {
    return this.page.evaluate(async () => {
      const { table } = window.grognard;
      const ask = table.now.asks[0];
      let best = null;
      // A few of them will do: the server has a limit for questions.
      const step = Math.max(1, Math.floor(ask.subjects.length / 6));
      for (const subject of ask.subjects.filter((s, i) => i % step === 0)) {
        const [item] = await table.options(ask.seat, subject);
        const slot = item?.template?.parts[0];
        if (!item?.action.startsWith('attack') || !slot) continue;
        const target = item.action.split(' ')[1];
        // As many as may take part, one after the other while it stays legal.
        let named = [];
        for (const unit of slot.candidates.slice(0, 5)) {
          const more = [...named, unit];
          if (more.length <= slot.max && (await table.verdict(ask.seat, `${slot.words} ${more.join(' ')}`)) === 'legal') named = more;
        }
        if (!named.length) continue;
        const odds = await table.ask(ask.seat, `odds ${named.join('+')} -> ${target}`).catch(() => null);
        const score = odds ? odds.attack / Math.max(1, odds.defense) : 0;
        if (!best || score > best.score) best = { target, action: `${slot.words} ${named.join(' ')}`, score, units: named };
        if (best.score >= 3) break;
      }
      return best;
    });
  }

  /** Name what may be named in the sheet, one by one, as long as it is legal. */
  async fillSlots() {
    const free = this.page.locator('.slot').first().locator('[aria-pressed="false"]');
    for (let i = 0; i < 6 && (await free.count()); i++) {
      await free.first().click();
      await this.settle();
      if ((await this.state()).draft?.verdict !== 'legal') {
        await this.page.locator('.slot').first().locator('[aria-pressed="true"]').last().click();
        await this.settle();
        break;
      }
    }
  }

  /** Play on without the interface: until one of these prompts comes, for so many decisions, or while it is asked of this
   * player (`while`). With `attack` the best attacks are made; a curtain is opened unless `behind` is false. Returns the key of the prompt that was met. */
  async fast({ until = [], decisions = Infinity, most = 300, attack = false, while: mine = false, behind = true } = {}) {
    const begun = (await this.state()).decision;
    for (let i = 0; i < most; i++) {
      const curtain = this.page.locator('.curtain .btn');
      if (behind && (await curtain.count())) await curtain.first().click();
      await this.page.waitForFunction(() => window.grognard.table.status === 'open', null, { timeout: 10_000 });
      // Between an answer and what it brings there may be a moment in which nothing is asked.
      if (!mine) await this.page.waitForFunction(() => window.grognard.flow.ask, null, { timeout: 10_000 }).catch(() => undefined);
      const { asked, decision, status, turn } = await this.state();
      if (!asked && mine && decision > begun) return null;
      if (!asked) throw new Error(`nothing is asked of this player: ${status} in turn ${turn}, decision ${decision}`);
      if (until.includes(asked.key)) {
        await this.settle();
        await this.page.waitForFunction(() => window.grognard.flow.direct.length > 0 || window.grognard.flow.ask.subjects.length > 0);
        return asked.key;
      }
      if (decision - begun >= decisions) return asked.key;
      const best = attack && asked.key === 'prompt.attacks' ? await this.bestAttack() : null;
      await this.page.evaluate(async (wanted) => {
        const { table } = window.grognard;
        const ask = table.now.asks[0];
        const ends = (o) => !o.template && /^(deploy|done|no |hold|stay|accept|engage|give way|no)/.test(o.action);
        const options = [];
        for (const subject of ask.subjects.slice(0, wanted ? 0 : 12)) {
          options.push(...(await table.options(ask.seat, subject)));
          if (options.some(ends)) break;
        }
        const plain = options.find(ends) ?? options.find((o) => !o.template);
        const filled = (t) => t.parts.map((p) => [p.words, ...(p.kind === 'words' ? [] : p.suggested.length >= p.min ? p.suggested : p.candidates.slice(0, p.min))].join(' ')).join(' ');
        const action = wanted ?? plain?.action ?? filled(options[0].template);
        await table.act(ask.seat, action.trim());
      }, best?.action ?? null);
    }
    return null;
  }

  /** Go on until another seat of this screen is asked; a curtain stays as it falls. */
  async otherSeat(seat) {
    for (let i = 0; i < 40; i++) {
      const { asked } = await this.state();
      if (asked && asked.seat !== seat) return;
      await this.fast({ decisions: 1, behind: false });
    }
    throw new Error('the other side is never asked');
  }

  screenshot(path) {
    return this.page.screenshot({ path });
  }
}
