import { describe, expect, it } from 'vitest';
import { hasEngine, learnLooks } from '../src/lib/board/looks';
import { changesOf, isEmpty } from '../src/lib/play/changes';
import { ledger, strength, turnStarts } from '../src/lib/play/course';
import { passes, placeOf, placesOf } from '../src/lib/play/report';
import { soundOf } from '../src/lib/play/sound';
import { Stage } from '../src/lib/play/stage.svelte';
import type { LogLine, Message, Piece, Topic, View } from '../src/lib/protocol';
import type { Table } from '../src/lib/play/table.svelte';

const isCell = (id: string): boolean => /^\d{4}$/.test(id);
const piece = (id: string, seat: number, at: string, more: Partial<Piece> = {}): Piece =>
  ({ id, seat, at, layer: 0, face: { ground: 'us', symbol: 'infantry', size: '', left: '', right: '', title: '', factors: [], reduced: false }, ...more }) as Piece;
const view = (pieces: Piece[], markers: View['markers'] = []): View => ({ turn: null, pieces, markers, panels: [] });
const line = (message: Message, data: unknown, level = 1, topic: Topic = 'other'): LogLine => ({ seq: 1, decision: 1, at: 0, entry: { seat: 0, topic, message, level, data } }) as unknown as LogLine;

describe('what changed', () => {
  learnLooks({ states: [{ state: 'moved', shape: 'chevrons', warns: false, passing: true }], markers: [], engines: ['tank'] });
  const before = view([piece('A', 0, '0101'), piece('B', 1, '0202'), piece('C', 1, '0303'), piece('R', 1, 'track')], [
    { kind: 'bridge', at: '0101/0102', text: '' },
    { kind: 'bridge', at: '0505/0506', text: '' },
  ]);
  it('tells losses, moves, ground, arrivals and markers apart', () => {
    const c = piece('C', 1, '0303');
    const after = view(
      [piece('A', 0, '0202'), piece('B', 1, 'dead'), { ...c, states: ['disrupted', 'moved'], face: { ...c.face, reduced: true } }, piece('R', 1, '0404')],
      [{ kind: 'blown', at: '0101/0102', text: '' }],
    );
    const changed = changesOf(before, after, isCell);
    expect(changed.lost.map((p) => p.id)).toEqual(['B']);
    expect(changed.moved.map((m) => [m.piece.id, m.from])).toEqual([['A', '0101']]);
    expect(changed.taken).toEqual([{ cell: '0202', by: 0 }]);
    expect(changed.reduced.map((p) => p.id)).toEqual(['C']);
    expect(changed.arrived.map((p) => p.id)).toEqual(['R']);
    // A state that the game declares as passing is no news.
    expect(changed.states.map((s) => s.state)).toEqual(['disrupted']);
    expect(changed.placed.map((m) => m.kind)).toEqual(['blown']);
    // A bridge that is blown now was not also removed.
    expect(changed.removed.map((m) => m.at)).toEqual(['0505/0506']);
    expect(isEmpty(changed)).toBe(false);
  });
  it('says nothing where nothing changed', () => {
    expect(isEmpty(changesOf(before, before, isCell))).toBe(true);
  });
});

describe('the stage', () => {
  const pieces = [piece('A', 0, '0101'), piece('G', 0, '0105'), piece('D', 1, '0202')];
  const table = { piece: (id: string) => pieces.find((p) => p.id === id), cell: (id: string) => (isCell(id) ? { id } : undefined) } as unknown as Table;
  const attack = line(
    { key: 'log.attack', args: [['units', { list: [{ unit: 'A' }] }], ['artillery', { list: [{ unit: 'G' }] }]] },
    { kind: 'attack', target: '0202' },
  );
  it('puts arrows, labelled rolls, the result and its consequences together', () => {
    const stage = new Stage(table);
    stage.take([attack], view(pieces));
    expect(stage.fight?.strikes.map(({ from, to, kind }) => [from, to, kind])).toEqual([
      ['0101', '0202', 'attack'],
      ['0105', '0202', 'support'],
    ]);
    expect(stage.fight?.defenders).toEqual(['D']);
    stage.take([line({ key: 'roll.combat' }, { kind: 'roll', sides: 6, value: 5, modifier: 1 }, 2), line({ key: 'log.combat' }, { kind: 'combat', result: 'DR3', tone: 'good' })], view(pieces));
    stage.take([line({ key: 'log.step_lost' }, null)], view(pieces));
    expect(stage.fight?.rolls).toMatchObject([{ value: 5, modifier: 1 }]);
    expect(stage.fight?.result).toMatchObject({ code: 'DR3', tone: 'good' });
    expect(stage.fight?.after.length).toBe(1);
    expect(stage.outcome?.entry.message.key).toBe('log.combat');
    // The next phase has nothing to do with it.
    stage.take([line({ key: 'log.phase' }, null, 0), line({ key: 'log.placed' }, null)], view(pieces));
    expect(stage.fight?.after.length).toBe(1);
    stage.close();
  });
  it('adds support that is named later, and keeps strengths, shift and column', () => {
    const stage = new Stage(table);
    const bare = line({ key: 'log.attack', args: [['units', { list: [{ unit: 'A' }] }]] }, { kind: 'attack', target: '0202' });
    const support = line({ key: 'log.attack_support' }, { kind: 'support', target: '0202', units: ['G'] });
    const result = line({ key: 'log.fought' }, { kind: 'result', result: 'DS', attack: 12, defense: 4, shift: 2, column: '5-1' });
    stage.take([bare, support, result], view(pieces));
    expect(stage.fight?.support).toEqual(['G']);
    expect(stage.fight?.strikes.map((s) => s.kind)).toEqual(['attack', 'support']);
    expect(stage.fight?.odds).toEqual({ attack: 12, defense: 4, shift: 2, column: '5-1' });
    // A move afterwards is no consequence; a retreat is.
    stage.take([line({ key: 'log.moved' }, { kind: 'move', units: ['A'], to: '0303' }), line({ key: 'log.retreated' }, { kind: 'retreat', unit: 'D', to: '0303' })], view(pieces));
    expect(stage.fight?.after.map((l) => l.entry.message.key)).toEqual(['log.retreated']);
    stage.close();
  });
  it('finds the defender that has just moved into the hex, and leaves out dice of something else', () => {
    const stage = new Stage(table);
    const initiative = line({ key: 'roll.initiative' }, { kind: 'roll', sides: 10, value: 3 }, 2);
    const moved = line({ key: 'log.moved' }, { kind: 'move', units: ['D'], to: '0102' });
    const roll = line({ key: 'roll.fire' }, { kind: 'roll', sides: 10, value: 7 }, 2);
    stage.take([initiative, moved, roll, line({ key: 'log.fired' }, { kind: 'fire', hex: '0102', units: ['A'], hits: 2 })], view(pieces));
    expect(stage.fight?.defenders).toEqual(['D']);
    expect(stage.fight?.rolls.map((r) => r.value)).toEqual([7]);
    stage.close();
  });
  it('shows a shot as a tracer, and a miss as one that missed', () => {
    const stage = new Stage(table);
    stage.take(
      [
        line({ key: 'log.declared.overwatch' }, { kind: 'fire', unit: 'A', target: 'D', interrupt: true }),
        line({ key: 'log.miss' }, { kind: 'shot', unit: 'A', target: 'D', hit: false, tone: 'bad' }),
      ],
      view(pieces),
    );
    expect(stage.fight).toMatchObject({ interrupt: true, result: { tone: 'bad' } });
    expect(stage.fight?.strikes).toMatchObject([{ from: '0101', to: '0202', kind: 'shot', missed: true }]);
    stage.close();
  });
  it('shows fire at a cell that is told after its dice, with the hits', () => {
    const stage = new Stage(table);
    const roll = line({ key: 'roll.fire' }, { kind: 'roll', sides: 10, value: 2 }, 2);
    const fired = line({ key: 'log.fired' }, { kind: 'fire', fire: 'defensive', hex: '0202', units: ['A'], hits: 3 });
    stage.take([roll, fired], view(pieces));
    expect(stage.fight).toMatchObject({ attackers: ['A'], defenders: ['D'], result: { hits: 3, tone: 'good' }, rolls: [{ value: 2 }] });
    expect(stage.outcome).toBe(fired);
    // The dice of the next fire are not this one's.
    stage.take([roll, line({ key: 'log.fired' }, { kind: 'fire', hex: '0202', units: ['G'], hits: 0 })], view(pieces));
    expect(stage.fight).toMatchObject({ attackers: ['G'], result: { hits: 0, tone: 'bad' } });
    expect(stage.fight?.rolls.length).toBe(1);
    stage.close();
  });
  it('takes what is told of the target for the result, where no other is told', () => {
    const stage = new Stage(table);
    stage.take([line({ key: 'log.assault' }, { kind: 'assault', unit: 'A', target: 'D' }), line({ key: 'log.close' }, { kind: 'close_assault', unit: 'A', target: 'D', tone: 'bad' })], view(pieces));
    expect(stage.fight?.result).toMatchObject({ message: { key: 'log.close' }, tone: 'bad' });
    stage.close();
  });
});

describe('the report', () => {
  it('finds where a line happened', () => {
    const at = (unit: string): string | undefined => ({ A: '0101', B: 'dead' })[unit];
    expect(placeOf(line({ key: 'log.x', args: [['unit', { unit: 'A' }]] }, null), at, isCell)).toBe('0101');
    expect(placeOf(line({ key: 'log.x', args: [['unit', { unit: 'B' }]] }, null), at, isCell)).toBeUndefined();
    expect(placeOf(line({ key: 'log.bridge', args: [['hexside', { place: '0101/0102' }]] }, null), at, isCell)).toBe('0101/0102');
    expect(placeOf(line({ key: 'log.combat' }, { kind: 'combat', target: '0202' }), at, isCell)).toBe('0202');
  });
  it('filters, but keeps headings', () => {
    const about = (topic: Topic, level = 1): LogLine => line({ key: 'log.x' }, null, level, topic);
    expect(passes(about('phase', 0), 'losses')).toBe(true);
    expect(passes(about('move'), 'combat')).toBe(false);
    expect(passes(about('loss'), 'losses')).toBe(true);
    expect(passes(about('loss'), 'combat')).toBe(true);
    expect(passes(about('move'), 'moves')).toBe(true);
    expect(passes(about('retreat'), 'moves')).toBe(false);
  });
});

describe('the course of a game', () => {
  const turn = (decision: number): LogLine => ({ seq: 1, decision, at: 0, entry: { seat: null, topic: 'turn', message: { key: 'log.turn' }, level: 0, data: null } }) as unknown as LogLine;
  const roll = (seat: number, value: number, key: string): LogLine => ({ seq: 1, decision: 1, at: 0, entry: { seat, message: { key }, level: 2, data: { kind: 'roll', sides: 6, value } } }) as unknown as LogLine;
  it('has the start of each turn and the end', () => {
    // Two turns may begin with one decision.
    expect(turnStarts([turn(0), turn(9), turn(9), turn(20)], 31).map((t) => t.decision)).toEqual([0, 9, 20, 31]);
    expect(turnStarts([...Array(60).keys()].map((n) => turn(n * 3)), 200, 20).length).toBeLessThanOrEqual(21);
  });
  it('weighs counters by the steps they show', () => {
    const tank = piece('A', 0, '0101');
    const shown = (text: string) => ({ ...tank, face: { ...tank.face, badges: [{ kind: 'steps', text, tone: '' }] } });
    expect(strength(view([shown('9'), shown('0'), shown('?')]), 0, isCell)).toBe(10);
  });
  it('counts strength on the map, half for who lost a step', () => {
    const weak = piece('B', 0, '0202');
    expect(strength(view([piece('A', 0, '0101'), { ...weak, face: { ...weak.face, reduced: true } }, piece('C', 0, 'dead'), piece('D', 1, '0303')]), 0, isCell)).toBe(1.5);
  });
  it('holds every die against its average', () => {
    const [all, first] = ledger([roll(0, 6, 'roll.combat'), roll(0, 2, 'roll.combat'), roll(1, 3, 'roll.rally')], (m) => `${m.key}: rolled`);
    expect(all?.by.get(0)).toEqual({ count: 2, sum: 8, expected: 7 });
    expect(first).toMatchObject({ purpose: 'roll.combat', all: false });
    expect(ledger([], () => '')).toEqual([]);
  });
});

describe('sounds', () => {
  const of = (...topics: Topic[]): LogLine[] => topics.map((topic) => line({ key: 'log.x' }, null, 1, topic));
  it('are those of the weightiest thing that happened', () => {
    expect(soundOf(of('move'))).toBe('march');
    expect(soundOf(of('move', 'roll'))).toBe('dice');
    expect(soundOf(of('combat', 'roll'))).toBe('gun');
    expect(soundOf(of('combat', 'loss'))).toBe('loss');
    expect(soundOf(of('phase'))).toBe(null);
    expect(soundOf(of('flight'))).toBe('fly');
    expect(soundOf(of('over', 'loss'))).toBe('end');
    expect(soundOf(of('loss', 'blast'))).toBe('blast');
  });
  it('tell a tank from a man, a hit from a miss', () => {
    expect(hasEngine('tank')).toBe(true);
    expect(hasEngine('infantry')).toBe(false);
    const move = line({ key: 'log.x' }, { kind: 'move', unit: 'T' }, 1, 'move');
    expect(soundOf([move], (unit) => unit === 'T')).toBe('drive');
    expect(soundOf([move], (unit) => unit === 'X')).toBe('march');
    expect(soundOf([line({ key: 'log.x' }, { kind: 'shot', hit: true }, 1, 'combat')])).toBe('steel');
    expect(soundOf([line({ key: 'log.x' }, { kind: 'shot', hit: false }, 1, 'combat')])).toBe('gun');
  });
});

describe('places of lines', () => {
  const unit = (id: string): Message => ({ key: 'log.x', args: [['unit', { unit: id }]] });
  const at = (id: string): string | undefined => (id === 'A' ? '0101' : undefined);
  it('are those of the fight where a line has none of its own', () => {
    const phase = line({ key: 'log.phase' }, { kind: 'phase' }, 0, 'phase');
    const attack = line({ key: 'log.attack' }, { kind: 'attack', target: '0202', units: ['A'] }, 1, 'attack');
    const die = line({ key: 'roll.combat' }, { kind: 'roll', value: 3 }, 2, 'roll');
    const lost = line(unit('gone'), {}, 1, 'loss');
    const other = line({ key: 'log.points' }, {}, 1, 'other');
    const later = line(unit('gone'), {}, 1, 'loss');
    const places = placesOf([attack, die, lost, other, phase, later], at, isCell);
    expect([attack, die, lost].map((one) => places.get(one))).toEqual(['0202', '0202', '0202']);
    expect([other, phase, later].map((one) => places.get(one))).toEqual([undefined, undefined, undefined]);
  });
  it('are those of the next line for a die before it', () => {
    const die = line({ key: 'roll.fire' }, { kind: 'roll', value: 3 }, 2, 'roll');
    const result = line({ key: 'log.fire' }, { kind: 'fire', hex: '0303', hits: 2 }, 1, 'combat');
    result.entry.message.args = [['hex', { place: '0303' }]];
    expect(placesOf([die, result], at, isCell).get(die)).toBe('0303');
  });
});
