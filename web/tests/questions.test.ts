import { describe, expect, it } from 'vitest';
import { figure, mergeSheets, oddsQuestions, readCosts, readOverlay, readPath, readRefusal, reachOf } from '../src/lib/play/questions';
import { compareRules, ruleCards } from '../src/lib/rules/cards';
import { Catalog } from '../src/lib/i18n/catalog';
import { address, parseRoute, type Route } from '../src/lib/router.svelte';

const isUnit = (s: string): boolean => /^[A-H]$/.test(s);
const isPlace = (s: string): boolean => /^\d{4}(\/\d{4})?$/.test(s);

describe('questions', () => {
  it('asks for the odds of an attack', () => {
    expect(oddsQuestions('attack 1313 with A B artillery G H air', isUnit, isPlace)).toEqual([
      'odds A+B -> 1313 artillery G H air',
      'outcomes A+B -> 1313 artillery G H air',
    ]);
    expect(oddsQuestions('move A 1313', isUnit, isPlace)).toEqual([]);
    expect(oddsQuestions('attack 1313 with', isUnit, isPlace)).toEqual([]);
  });
  it('puts lines of one sheet beside the chances of another', () => {
    const line = { label: { key: 'a' }, value: '6', rule: '', level: 1 };
    const chance = { label: { key: 'b' }, p: 1, tone: 0 };
    expect(mergeSheets([{ sheet: { title: null, lines: [line], chances: [] } }, null, { sheet: { title: null, lines: [], chances: [chance] } }])).toEqual({
      title: null,
      lines: [line],
      chances: [chance],
    });
    expect(mergeSheets([null, { odds: '3-1' }])).toBeNull();
    // What it would cover is kept for the map.
    const area = { cells: ['1313'], tone: 'good' };
    expect(mergeSheets([{ sheet: { title: null, lines: [], chances: [], areas: [area] } }])?.areas).toEqual([area]);
  });
  it('tints by what is left', () => {
    const costs = readCosts({ '1313': 1, '1414': 2.5, nonsense: 3, '1515': 'x' }, isPlace);
    expect([...costs]).toEqual([
      ['1313', 1],
      ['1414', 2.5],
    ]);
    const reach = reachOf(['1313', '1414', '1616'], costs, 3);
    expect(reach.get('1313')).toEqual({ step: 0, label: '2' });
    expect(reach.get('1414')).toEqual({ step: 1, label: '½' });
    expect(reach.get('1616')).toEqual({ step: 1, label: '' });
  });
  it('writes movement points as people do', () => {
    expect([0, 0.5, 1, 1.25, 2.75, 1 / 3].map(figure)).toEqual(['0', '½', '1', '1¼', '2¾', '⅓']);
  });
  it('reads refusals and paths, and nothing else', () => {
    expect(readRefusal({ legal: false, rule: '9.2', why: { key: 'k' } })).toEqual({ rule: '9.2', why: { key: 'k' }, kind: 'forbidden' });
    expect(readRefusal({ legal: true })).toBeNull();
    expect(readRefusal('no')).toBeNull();
    expect(readPath({ path: ['1', '2'], costs: [0.5] })).toEqual({ cells: ['1', '2'], costs: ['½'] });
    expect(readPath({ path: 7 })).toBeNull();
  });
  it('finds cells and lines in any overlay', () => {
    const paint = readOverlay(
      [{ kind: 'hex', through: '1313', ends: ['1212', '1414'] }, { kind: 'hexside', along: '1212/1213', ends: ['1111', '1313'] }, '1515'],
      '#000',
      'lines',
      isPlace,
    );
    expect([...paint.overlays[0]!.cells]).toEqual(['1313', '1515']);
    expect(paint.lines.map((l) => l.edge ?? l.cells.join('-'))).toEqual(['1212-1313-1414', '1212/1213', '1111-1313']);
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
