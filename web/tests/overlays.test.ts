import { describe, expect, it } from 'vitest';
import { pressed } from '../src/lib/play/keys';
import type { Flow } from '../src/lib/play/flow.svelte';
import { Overlays } from '../src/lib/play/overlays.svelte';
import type { Table } from '../src/lib/play/table.svelte';
import type { Overlay, OverlayInfo } from '../src/lib/protocol';

const info = (id: string, question: string): OverlayInfo => ({ id, key: id[0]!, name: id, question, rule: '4.1' });
const line = (from: string, to: string, free?: number): Overlay => ({
  rule: '4.1.4',
  note: { key: free === undefined ? 'los.yes' : 'los.no' },
  lines: [{ kind: 'los', cells: [from, to], tone: 'good', arrow: false, text: '', ...(free === undefined ? {} : { free }) }],
});

function world(answers: Record<string, unknown>, selected: string[] = []) {
  const asked: string[] = [];
  const table = {
    info: {
      seats: [
        { id: 'red', name: 'Red', colour: '#a00' },
        { id: 'blue', name: 'Blue', colour: '#00a' },
      ],
      overlays: [info('zoc', 'zoc {seat}'), info('los', 'los {from} {to}'), info('field', 'field {unit}')],
    },
    seats: [0],
    view: { lines: [{ kind: 'order', cells: ['1010', '1111'], seat: 1, tone: 'plain', arrow: true, text: '' }] },
    isPlace: (s: string) => /^\d{4}(\/\d{4})?$/.test(s),
    cell: (id: string) => (/^\d{4}$/.test(id) ? { id } : undefined),
    piece: (id: string) => (id === 'A' ? { id, at: '1010' } : undefined),
    tell: (message: { key: string }) => message.key,
    word: (name: string) => name,
    ask: async (_: number, question: string) => {
      asked.push(question);
      if (question in answers) return answers[question];
      throw new Error('unknown question');
    },
  };
  const flow = { seat: 0, selected };
  return { overlays: new Overlays(table as unknown as Table, flow as unknown as Flow), asked };
}
const settle = () => new Promise((r) => setTimeout(r, 5));

describe('overlays', () => {
  it('asks for each side and paints areas and hexsides in its colour', async () => {
    const area = (seat: number, cells: string[]) => ({ cells, seat, tone: 'plain' });
    const edge = { kind: 'bond', cells: ['1212/1213'], seat: 1, tone: 'plain', arrow: false, text: '' };
    const { overlays } = world({ 'zoc red': { overlay: { rule: '', areas: [area(0, ['1010'])] } }, 'zoc blue': { overlay: { rule: '', areas: [area(1, ['1111'])], lines: [edge] } } });
    await overlays.toggle('zoc');
    expect(overlays.paint.overlays.map((o) => [o.colour, [...o.cells]])).toEqual([
      ['#a00', ['1010']],
      ['#00a', ['1111']],
    ]);
    expect(new Set(overlays.paint.overlays.map((o) => o.pattern)).size).toBe(2);
    expect(overlays.paint.lines.map((l) => l.edge)).toEqual(['1212/1213']);
    await overlays.toggle('zoc');
    expect(overlays.paint.overlays).toEqual([]);
  });

  it('names what is painted as it is painted: areas with words by their tone, others by their side', async () => {
    const cut = { cells: ['1010'], seat: 0, tone: 'bad', label: { key: 'cut_off' } };
    const plain = { cells: ['1111'], seat: 1, tone: 'plain', label: { key: 'in_supply' } };
    const { overlays } = world({ 'zoc red': { overlay: { rule: '', areas: [cut] } }, 'zoc blue': { overlay: { rule: '', areas: [plain] } } });
    await overlays.toggle('zoc');
    expect(overlays.looks.map(({ words, pattern }) => [words, pattern])).toEqual([['cut_off', 'lines'], ['in_supply', 'back']]);
    expect(overlays.looks.map(({ pattern }) => pattern)).toEqual(overlays.paint.overlays.map(({ pattern }) => pattern));
    // Lines that belong to the other side are named after it.
    const seen = { kind: 'spotted', cells: ['1010', '1111'], seat: 1, tone: 'plain', arrow: true, text: '' };
    const lines = world({ 'zoc red': { overlay: { rule: '', lines: [seen] } }, 'zoc blue': { overlay: { rule: '', lines: [] } } });
    await lines.overlays.toggle('zoc');
    expect(lines.overlays.silent.flatMap(({ looks }) => looks.map(({ words, colour }) => [words, colour]))).toEqual([['Blue', '#00a']]);
  });

  it('says so when the game has no answer', async () => {
    const { overlays } = world({});
    await overlays.toggle('zoc');
    expect(overlays.missing).toBe(true);
    expect(overlays.on.size).toBe(0);
  });

  it('asks about the selected unit, with what it says', async () => {
    const field: Overlay = { rule: '4.4', note: { key: 'field' }, areas: [{ cells: ['1112'], tone: 'bad', texts: ['7'] }] };
    const { overlays, asked } = world({ 'field A': { overlay: field } }, ['A']);
    await overlays.toggle('field');
    expect(asked).toEqual(['field A']);
    expect(overlays.said).toEqual([field]);
    expect([...overlays.paint.overlays[0]!.texts!]).toEqual([['1112', '7']]);
  });

  it('is a tool with two places: from the selection, following the pointer, then fixed', async () => {
    const { overlays } = world({ 'los 1010 1212': { overlay: line('1010', '1212') }, 'los 1010 1313': { overlay: line('1010', '1313', 0.4) } }, ['A']);
    await overlays.toggle('los');
    expect(overlays.tool?.from).toBe('1010');
    overlays.follow('1212');
    await settle();
    expect(overlays.found?.note?.key).toBe('los.yes');
    overlays.point('1313');
    await settle();
    expect(overlays.found?.note?.key).toBe('los.no');
    overlays.follow('1212');
    await settle();
    expect(overlays.tool?.to).toBe('1313');
    // The line of the position and the one that was found, with where it ends.
    expect(overlays.shown.lines.map((l) => [l.cells.join('-'), l.free ?? 1, l.arrow])).toEqual([
      ['1010-1111', 1, true],
      ['1010-1313', 0.4, false],
    ]);
    overlays.point('1414');
    expect(overlays.tool).toMatchObject({ from: '1414', to: null });
    await overlays.toggle('los');
    expect(overlays.tool).toBeNull();
    expect(overlays.found).toBeNull();
  });
});

it('a letter that an overlay of the game has needs Shift for what the page does with it', () => {
  const overlays = [{ key: 'l' }, { key: 'd' }];
  expect(pressed(overlays, 'L')).toBe('⇧L');
  expect(pressed(overlays, 'H')).toBe('H');
  expect(pressed(overlays, 'D')).toBe('D'); // reserved: no overlay gets it
});
