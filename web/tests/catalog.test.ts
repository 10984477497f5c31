import { describe, expect, it } from 'vitest';
import shared from '../../crates/kernel/messages/cases.json';
import { Catalog } from '../src/lib/i18n/catalog';
import type { Arg, Message } from '../src/lib/protocol';

const render = (text: string, message: Omit<Message, 'key'>, key = 't'): string =>
  new Catalog({ t: text, 'side.german': '독일군', 'list.comma': ', ', 'list.last': ' and ', 'list.none': 'none' }).render({
    key,
    ...message,
  });

describe('catalog', () => {
  // The kernel's reader of message files is tested with the same cases.
  it.each(shared.cases as { text: string; args: [string, Arg][]; is: string }[])('says $is', ({ text, args, is }) => {
    expect(new Catalog({ ...shared.texts, t: text }).render({ key: 't', args })).toBe(is);
  });

  it('ends a sentence that holds itself', () => {
    let arg: Arg = { text: 'end' };
    for (let i = 0; i < 1000; i++) arg = { message: { key: 't', args: [['m', arg]] } };
    expect(render('<{m}>', { args: [['m', arg]] }).length).toBeLessThan(100);
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

  it('knows what printed codes mean', () => {
    const words = new Catalog({ t: '{p}: {r}.', 'code.DR2': 'Defender retreats 2 hexes' });
    const message: Message = { key: 't', args: [['p', { text: '3-1' }], ['r', { text: 'DR2' }]] };
    expect(words.parts(message)).toEqual([{ text: '3-1: ' }, { text: 'DR2', about: 'Defender retreats 2 hexes' }, { text: '.' }]);
    expect(words.render(message)).toBe('3-1: DR2.');
  });

  it('shows a faulty text as it is, and falls back to another language', () => {
    expect(render('{x', {})).toBe('{x');
    expect(new Catalog({}, new Catalog({ t: 'English' })).render({ key: 't' })).toBe('English');
  });
});
