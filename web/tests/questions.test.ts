import { describe, expect, it } from 'vitest';
import { drawnWay, figure, reachOf, typedOverlay } from '../src/lib/play/questions';
import { compareRules, ruleCards } from '../src/lib/rules/cards';
import { Catalog } from '../src/lib/i18n/catalog';
import { address, parseRoute, type Route } from '../src/lib/router.svelte';

describe('questions', () => {
  it('tints by what is left', () => {
    const costs = new Map([
      ['1313', 1],
      ['1414', 2.5],
    ]);
    const reach = reachOf(['1313', '1414', '1616'], costs, 3);
    expect(reach.get('1313')).toEqual({ step: 0, label: '2' });
    expect(reach.get('1414')).toEqual({ step: 1, label: '½' });
    expect(reach.get('1616')).toEqual({ step: 1, label: '' });
  });
  it('writes movement points as people do', () => {
    expect([0, 0.5, 1, 1.25, 2.75, 1 / 3, 7 / 6, 5 / 6].map(figure)).toEqual(['0', '½', '1', '1¼', '2¾', '⅓', '1⅙', '⅚']);
  });
  it('writes the costs of a way', () => {
    expect(drawnWay({ cells: ['1', '2'], costs: [0.5] })).toEqual({ cells: ['1', '2'], costs: ['½'] });
  });
  it('paints areas and lines in the colour of their side, hexsides along the edge', () => {
    const line = { kind: 'bond', tone: 'plain', arrow: false, text: '' } as const;
    const paint = typedOverlay(
      { rule: '', areas: [{ cells: ['1313'], tone: 'plain', seat: 1 }, { cells: ['1414'], tone: 'bad' }], lines: [{ ...line, cells: ['1212/1213'] }, { ...line, cells: ['1111', '1212'] }] },
      (seat) => (seat === 1 ? '#00f' : '#000'),
      'lines',
    );
    expect(paint.overlays[0]).toMatchObject({ cells: ['1313'], colour: '#00f', pattern: 'lines' });
    expect(paint.overlays[1]!.colour).not.toBe('#000');
    expect(paint.lines.map((l) => l.edge ?? l.cells.join('-'))).toEqual(['1212/1213', '1111-1212']);
  });
});

describe('rule cards', () => {
  const cards = ruleCards(
    new Catalog({
      'rule.9.title': 'Zones of control',
      'rule.9.2.title': 'Stop',
      'rule.9.2.text': 'A unit stops in an enemy ZOC.',
      'rule.16.7.title': 'Determined Defense',
      'rule.16.71.title': 'Lead unit',
      'rule.10.title': 'Bonds',
    }),
  );
  it('stand in the order of the book', () => {
    expect(cards.all.map((c) => c.rule)).toEqual(['9', '9.2', '10', '16.7', '16.71']);
    expect(compareRules('2.10', '2.9')).toBeGreaterThan(0);
  });
  it('lead from a rule without a card to the one above it', () => {
    expect(cards.nearest('9.2')?.title).toBe('Stop');
    expect(cards.nearest('9.21')?.title).toBe('Stop');
    expect(cards.nearest('9.4.1')?.title).toBe('Zones of control');
    expect(cards.nearest('40')).toBeUndefined();
    expect(cards.below('16.7').map((c) => c.rule)).toEqual(['16.71']);
    expect(cards.below('9').map((c) => c.rule)).toEqual(['9.2']);
  });
  it('are found by words and numbers', () => {
    expect(cards.search('enemy zoc').map((c) => c.rule)).toEqual(['9.2']);
    expect(cards.search('16').map((c) => c.rule)).toEqual(['16.7', '16.71']);
    expect(cards.search('9.41').map((c) => c.rule)).toEqual(['9']);
    expect(cards.search('zzz')).toEqual([]);
  });
});

describe('addresses', () => {
  const routes: Route[] = [
    { page: 'lobby' },
    { page: 'new', game: 'ardennes44', scenario: 'six' },
    { page: 'table', id: 'a b', at: 12 },
    { page: 'join', id: 'x', code: 'c/d' },
    { page: 'device', code: 'zz' },
    { page: 'rules', game: 'ardennes44', rule: '9.2' },
  ];
  it.each(routes)('go there and back: %o', (route) => expect(parseRoute(address(route))).toEqual(route));
  it('lead to the lobby when they mean nothing', () => {
    expect(parseRoute('#/nowhere/%E0%A4%A')).toEqual({ page: 'lobby' });
    expect(parseRoute('#/table/x?at=-3')).toEqual({ page: 'table', id: 'x' });
  });
});
