import { describe, expect, it } from 'vitest';
import { Refused } from '../src/lib/net/socket';
import { Flow } from '../src/lib/play/flow.svelte';
import { named, offer } from './offer';
import type { Table } from '../src/lib/play/table.svelte';
import type { Offer, Piece, SeatAsk, Template, Verdict } from '../src/lib/protocol';

interface World {
  subjects: string[];
  options: Record<string, Offer[]>;
  verdicts?: Record<string, Verdict>;
  answers?: Record<string, unknown>;
  refuse?: boolean;
}

/** A table without a server: pieces A, B (mine) and X (the enemy's) on a few places. */
function table(world: World): { table: Table; acted: string[] } {
  const acted: string[] = [];
  const piece = (id: string, at: string, seat: number): Piece => ({ id, at, seat, layer: 0, active: true, face: {} }) as unknown as Piece;
  const pieces = [piece('A', '1010', 0), piece('B', '1010', 0), piece('X', '1111', 1)];
  const ask: SeatAsk = { seat: 0, prompt: { message: { key: 'p' }, rule: '1', set_up: false }, subjects: world.subjects, named: named(world.subjects) };
  const fake = {
    past: null,
    now: { asks: [ask], moment: 1, undo: [] },
    live: { pieces },
    isUnit: (s: string) => /^[A-Z]$/.test(s),
    isPlace: (s: string) => /^\d{4}(\/\d{4})?$/.test(s),
    cell: (id: string) => (/^\d{4}$/.test(id) ? { id } : undefined),
    piece: (id: string) => pieces.find((p) => p.id === id),
    options: async (_: number, subject: string) => world.options[subject] ?? [],
    verdict: async (_: number, action: string) => world.verdicts?.[action] ?? 'legal',
    ask: async (_: number, question: string) => {
      if (world.answers && question in world.answers) return world.answers[question];
      throw new Refused({ code: 'bad_request', detail: question });
    },
    act: async (_: number, action: string) => {
      if (world.refuse) throw new Refused({ code: 'illegal', detail: '', refusal: { rule: '9.2', why: { key: 'no' }, kind: 'forbidden' } });
      acted.push(action);
    },
  };
  return { table: fake as unknown as Table, acted };
}

const attack: Template = {
  parts: [{ words: 'attack 1111 with', kind: 'units', label: 'slot.attackers', candidates: ['A', 'B'], min: 1, max: 2, suggested: [] }],
  ties: [],
};

describe('flow', () => {
  it('asks with a rose where ways differ only in their facing', async () => {
    const { table: t, acted } = table({
      subjects: ['unit A', 'unit B', ...Array.from({ length: 10 }, (_, i) => `unit ${'CDEFGHIJKL'[i]}`)],
      options: { 'unit A': [offer('move A 1212 facing n'), offer('move A 1212 facing ne'), offer('turn A s')] },
    });
    const flow = new Flow(t);
    await flow.refresh();
    await flow.select(['A']);
    expect(flow.ways.map((w) => w.key)).toEqual(['move']);
    await flow.point('1212', null, null, false);
    expect(acted).toEqual([]);
    expect(flow.choices.length).toBe(2);
    expect(flow.choicesAt).toBe('1212');
    await flow.perform(flow.choices[1]!);
    expect(acted).toEqual(['move A 1212 facing ne']);
  });

  it('shows the sheet of an aim that leaves nothing to choose, and does at once what has none', async () => {
    const sheet = { title: null, lines: [{ label: { key: 'range' }, value: '7', rule: '4.4', level: 1 }], chances: [] };
    const world = {
      subjects: ['unit A', 'unit B', ...Array.from({ length: 10 }, (_, i) => `unit ${'CDEFGHIJKL'[i]}`)],
      options: { 'unit A': [offer('fire X with A')], 'unit B': [offer('spot X with B')] },
      answers: { 'sheet fire X with A': { sheet } },
    };
    const { table: t, acted } = table(world);
    const flow = new Flow(t);
    await flow.refresh();
    await flow.select(['A']);
    await flow.press(flow.pressable[0]!);
    await new Promise((r) => setTimeout(r, 5));
    expect(acted).toEqual([]);
    expect(flow.draft).toMatchObject({ action: 'fire X with A', ready: true, sheet });
    await flow.confirm();
    expect(acted).toEqual(['fire X with A']);
    await flow.select(['B']);
    await flow.point('1111', t.piece('X')!, null, false);
    expect(acted).toEqual(['fire X with A', 'spot X with B']);
  });

  it('says why the selection may not go where the pointer rests', async () => {
    const { table: t } = table({
      subjects: ['unit A', 'unit B', ...Array.from({ length: 10 }, (_, i) => `unit ${'CDEFGHIJKL'[i]}`)],
      options: { 'unit A': [offer('move A 1212')] },
      answers: { 'way A 1313': { refusal: { rule: '9.2', why: { key: 'no' }, kind: 'forbidden' } } },
    });
    const flow = new Flow(t);
    await flow.refresh();
    await flow.select(['A']);
    await flow.wonder('1212');
    expect(flow.doubt).toBeNull();
    await flow.wonder('1313');
    expect(flow.doubt).toEqual({ refusal: { rule: '9.2', why: { key: 'no' }, kind: 'forbidden' }, at: '1313' });
    flow.clear();
    expect(flow.doubt).toBeNull();
  });

  it('aims at a unit by pointing at it, and shows the sheet before it is confirmed', async () => {
    const words: Template = { parts: [{ words: 'fire A at X', kind: 'words', label: '', candidates: [], min: 0, max: 0, suggested: [] }], ties: [] };
    const sheet = { title: null, lines: [{ label: { key: 'range' }, value: '7', rule: '4.4', level: 1 }], chances: [] };
    const { table: t, acted } = table({
      subjects: ['unit A', 'unit B', ...Array.from({ length: 10 }, (_, i) => `unit ${'CDEFGHIJKL'[i]}`)],
      options: { 'unit A': [offer('fire A at X', words)] },
      answers: { 'sheet fire A at X': { sheet } },
    });
    const flow = new Flow(t);
    await flow.refresh();
    await flow.select(['A']);
    expect([...flow.aims.keys()]).toEqual(['X']);
    await flow.point('1111', t.piece('X')!, null, false);
    await new Promise((r) => setTimeout(r, 5));
    expect(acted).toEqual([]);
    expect(flow.draft?.sheet).toEqual(sheet);
    await flow.confirm();
    expect(acted).toEqual(['fire A at X']);
  });

  it('moves a unit by pointing at it and at a place', async () => {
    const { table: t, acted } = table({
      subjects: ['phase', 'unit A', 'unit B'],
      options: { phase: [offer('done')], 'unit A': [offer('move A 1212'), offer('move A 1313 tactical')] },
      answers: { 'reach A': { reach: { allowance: 4, cells: [['1212', 2]] } } },
    });
    const flow = new Flow(t);
    await flow.refresh();
    expect(flow.buttons.map((b) => b.action)).toEqual(['done']);
    await flow.select(['A']);
    expect(flow.ways.map((w) => w.key)).toEqual(['move', 'move tactical']);
    await flow.point('1212', null, null, false);
    expect(acted).toEqual(['move A 1212']);
  });

  it('explains a place that is no option', async () => {
    const { table: t, acted } = table({
      subjects: ['A'],
      options: { A: [offer('move A 1212')] },
      answers: { 'way A 1414': { refusal: { rule: '9.2', why: { key: 'no.zoc' }, kind: 'forbidden' } } },
    });
    const flow = new Flow(t);
    await flow.select(['A']);
    await flow.point('1414', null, null, false);
    expect(flow.refusal).toEqual({ refusal: { rule: '9.2', why: { key: 'no.zoc' }, kind: 'forbidden' }, at: '1414' });
    expect(acted).toEqual([]);
    expect(flow.back()).toBe(true);
    expect(flow.refusal).toBeNull();
  });

  it('fills an attack by pointing and commits it once it is legal', async () => {
    const sheet = { title: null, lines: [{ label: { key: 'a' }, value: '6', rule: '', level: 1 }], chances: [] };
    const { table: t, acted } = table({
      subjects: ['1111', 'phase'],
      options: { '1111': [offer('attack 1111 with', attack)], phase: [offer('done')] },
      verdicts: { 'attack 1111 with A': { illegal: { rule: '14.1', why: { key: 'no' }, kind: 'forbidden' } } },
      answers: { 'sheet attack 1111 with A B': { sheet } },
    });
    const flow = new Flow(t);
    await flow.refresh();
    await flow.point('1111', t.piece('X') ?? null, null, false);
    expect(flow.draft?.ready).toBe(false);
    await flow.point('1010', t.piece('A') ?? null, null, false);
    await new Promise((r) => setTimeout(r));
    expect(flow.draft?.verdict).not.toBe('legal');
    await flow.confirm();
    expect(acted).toEqual([]);
    expect(flow.refusal?.refusal.rule).toBe('14.1');
    await flow.point('1010', t.piece('B') ?? null, null, false);
    await new Promise((r) => setTimeout(r));
    expect(flow.draft?.action).toBe('attack 1111 with A B');
    expect(flow.draft?.sheet?.lines).toHaveLength(1);
    await flow.confirm();
    expect(acted).toEqual(['attack 1111 with A B']);
  });

  it('warns once before it is done while units could act', async () => {
    const { table: t, acted } = table({ subjects: ['phase', 'A'], options: { phase: [offer('done')] } });
    const flow = new Flow(t);
    await flow.refresh();
    await flow.done();
    expect(flow.warned).toBe(1);
    expect(acted).toEqual([]);
    await flow.done();
    expect(acted).toEqual(['done']);
  });

  it('answers by pointing at the unit that an answer names', async () => {
    const { table: t, acted } = table({ subjects: ['phase'], options: { phase: [offer('lose A'), offer('lose B')] } });
    const flow = new Flow(t);
    await flow.refresh();
    await flow.point('1010', t.piece('B') ?? null, null, false);
    expect(acted).toEqual(['lose B']);
  });

  it('asks which way when several lead to one place', async () => {
    const { table: t, acted } = table({
      subjects: ['A'],
      options: { A: [offer('retreat A 1011 1112'), offer('retreat A 1110 1112')] },
    });
    const flow = new Flow(t);
    await flow.select(['A']);
    await flow.point('1112', null, null, false);
    expect(flow.choices.map((c) => c.action)).toEqual(['retreat A 1011 1112', 'retreat A 1110 1112']);
    await flow.perform(flow.choices[1]!);
    expect(acted).toEqual(['retreat A 1110 1112']);
  });

  it('moves several together, as one action where the game knows it', async () => {
    const options = { A: [offer('move A 1212'), offer('move A 1313')], B: [offer('move B 1212')] };
    const { table: t, acted } = table({ subjects: ['A', 'B'], options });
    const flow = new Flow(t);
    await flow.select(['A', 'B']);
    expect([...(flow.current?.targets.keys() ?? [])]).toEqual(['1212']);
    await flow.point('1212', null, null, false);
    expect(acted).toEqual(['move A B 1212']);

    const apart = table({ subjects: ['A', 'B'], options, verdicts: { 'move A B 1212': { illegal: { rule: '-', why: { key: 'no' }, kind: 'forbidden' } }, 'move A+B 1212': { illegal: { rule: '-', why: { key: 'no' }, kind: 'forbidden' } } } });
    const second = new Flow(apart.table);
    await second.select(['A', 'B']);
    await second.point('1212', null, null, false);
    expect(apart.acted).toEqual(['move A 1212', 'move B 1212']);
  });

  it('shows the rule when the server refuses', async () => {
    const { table: t } = table({ subjects: ['A'], options: { A: [offer('move A 1212')] }, refuse: true });
    const flow = new Flow(t);
    await flow.select(['A']);
    await flow.point('1212', null, null, false);
    expect(flow.refusal?.refusal.rule).toBe('9.2');
    expect(flow.busy).toBe(false);
  });
});
