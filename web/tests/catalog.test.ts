import { describe, expect, it } from 'vitest';
import { Catalog } from '../src/lib/i18n/catalog';
import type { Arg, Message } from '../src/lib/protocol';

const render = (text: string, message: Omit<Message, 'key'>, key = 't'): string =>
  new Catalog({ t: text, 'side.german': '독일군', 'list.comma': ', ', 'list.last': ' and ', 'list.none': 'none' }).render({
    key,
    ...message,
  });

// The cases of crates/kernel/src/catalog.rs.
describe('catalog', () => {
  it('fills blanks, plurals and braces', () => {
    const n = (value: number): Omit<Message, 'key'> => ({ args: [['n', { number: value }]] });
    expect(render('{n} {n|hex|hexes}', n(1))).toBe('1 hex');
    expect(render('{n} {n|hex|hexes}', n(2))).toBe('2 hexes');
    expect(render('{{{n}}} {gone}', n(-3))).toBe('{-3} {gone}');
    expect(render('x', {}, 'no.such')).toBe('no.such');
  });

  it('joins lists and nests sentences', () => {
    const list = (n: number): Omit<Message, 'key'> => ({
      args: [['who', { list: Array.from({ length: n }, (_, i) => ({ unit: `u${i}` })) }]],
    });
    expect(render('{who}', list(0))).toBe('none');
    expect(render('{who} {who|attacks|attack}', list(1))).toBe('u0 attacks');
    expect(render('{who} {who|attacks|attack}', list(3))).toBe('u0, u1 and u2 attack');
    expect(render('({m})', { args: [['m', { message: { key: 'side.german' } }]] })).toBe('(독일군)');
  });

  it('ends a sentence that holds itself', () => {
    let arg: Arg = { text: 'end' };
    for (let i = 0; i < 1000; i++) arg = { message: { key: 't', args: [['m', arg]] } };
    expect(render('<{m}>', { args: [['m', arg]] }).length).toBeLessThan(100);
  });

  it.each([
    ['독일군', '은', '으로'],
    ['보병', '은', '으로'],
    ['전차', '는', '로'],
    ['서울', '은', '로'],
    ['2115', '는', '로'],
    ['2117', '은', '로'],
    ['2110', '은', '으로'],
    ['CCR', '은', '로'],
    ['CCB', '는', '로'],
    ['KM', '은', '으로'],
    ['보병(정예)', '은', '으로'],
    ['전차 (2-1)', '는', '로'],
    ['“전차”', '는', '로'],
    ['Süß', '는', '로'],
    ['退却', '은(는)', '으로(로)'],
    ['', '은(는)', '으로(로)'],
  ])('gives %s its Korean particles', (word, topic, toward) => {
    expect(render('{x:은/는}', { args: [['x', { text: word }]] })).toBe(word + topic);
    expect(render('{x:으로/로}', { args: [['x', { text: word }]] })).toBe(word + toward);
  });

  it('keeps units and places as links', () => {
    const parts = new Catalog({ t: '{u:이/가} {p} 헥스로 이동' }).parts(
      { key: 't', args: [['u', { unit: 'A' }], ['p', { place: 'E2115' }]] },
      { unit: () => '전차' },
    );
    expect(parts).toEqual([
      { text: '전차', unit: 'A' },
      { text: '가 ' },
      { text: 'E2115', place: 'E2115' },
      { text: ' 헥스로 이동' },
    ]);
  });

  it('shows a faulty text as it is, and falls back to another language', () => {
    expect(render('{x', {})).toBe('{x');
    expect(new Catalog({}, new Catalog({ t: 'English' })).render({ key: 't' })).toBe('English');
  });
});
