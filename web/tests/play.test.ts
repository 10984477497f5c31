import { describe, expect, it } from 'vitest';
import { byTarget, changeAmount, compose, complete, degrees, namedIn, openIn, partOf, startFilling, toggle, withUnits } from '../src/lib/play/notation';
import { formsOnce, isOneForm, unformed } from '../src/lib/play/offers';
import { offer, reading } from './offer';
import { condense } from '../src/lib/play/report';
import { patched, withLines } from '../src/lib/play/patch';
import type { Reading, Template, View } from '../src/lib/protocol';
import type { LogLine } from '../src/lib/protocol';

describe('notation', () => {
  it('finds the unit in a value of a slot', () => {
    const part: Reading = { ...reading('fire A'), units: ['A'], using: ['gp'], weapon: '2', at: 'C' };
    expect(partOf({ 'A#2:gp>C': part }, 'A#2:gp>C')).toEqual({ unit: 'A', steps: undefined, weapon: '2', using: 'gp', at: 'C' });
    expect(partOf(undefined, 'A')).toMatchObject({ unit: 'A' });
  });
  it('turns a compass word into degrees', () => {
    // Two of the six directions of a grid with flat tops are due north and south, none due east.
    expect(['n', 'ne', 'se', 's', 'sw', 'nw'].map((d) => degrees(d, true))).toEqual([0, 60, 120, 180, 240, 300]);
    expect(['ne', 'e', 'se', 'sw', 'w', 'nw'].map((d) => degrees(d, false))).toEqual([30, 90, 150, 210, 270, 330]);
  });
  it('puts other units in the place of one', () => {
    expect(withUnits(reading('move A 1212 tactical'), 'A', 'B C')).toBe('move B C 1212 tactical');
  });
  it('offers each form once', () => {
    const form = (action: string, suggested: string, words = 'aa') => ({
      ...offer(action),
      template: { parts: [{ words, kind: 'units' as const, label: 'slot.shooters', candidates: ['A', 'B'], min: 1, max: 2, suggested: [suggested] }], ties: [] },
    });
    const [one, other, third] = [form('aa A', 'A'), form('aa B', 'B'), form('call A', 'A', 'call')];
    expect(isOneForm([one, other])).toBe(true);
    expect(isOneForm([one, third])).toBe(false);
    expect(formsOnce([offer('hold'), one, other, third, offer('done')]).map((o) => o.action)).toEqual(['hold', 'aa A', 'call A', 'done']);
  });
  it('leaves out what a form can be filled in with, unless it is told with its chances', () => {
    const form = { ...offer('fire Q with'), template: { parts: [{ words: 'fire Q with', kind: 'units' as const, label: 'slot.shooters', candidates: ['A', 'B'], min: 1, max: 2, suggested: ['A'] }], ties: [] } };
    const all = ['fire Q with A', 'fire Q with A B', 'fire Q with B A', 'fire P with A', 'hold'].map((action) => offer(action));
    expect(unformed([...all, form], new Set()).map((o) => o.action)).toEqual(['fire P with A', 'hold', 'fire Q with']);
    expect(unformed([...all, form], new Set(['fire Q with A'])).map((o) => o.action)).toContain('fire Q with A');
  });
  it('groups options by where they lead', () => {
    const groups = byTarget(['move A 1313', 'move A 1313 tactical', 'done'].map((action) => offer(action)));
    expect([...groups].map(([k, v]) => [k, v.length])).toEqual([
      ['1313', 2],
      ['', 1],
    ]);
  });

  const attack: Template = {
    parts: [
      { words: 'attack 1313 with', kind: 'units', label: 'slot.attackers', candidates: ['A', 'B', 'C'], min: 1, max: 2, suggested: ['A'] },
      { words: 'artillery', kind: 'units', label: 'slot.artillery', candidates: ['G'], min: 0, max: 1, suggested: [] },
      { words: 'air', kind: 'words', label: '', candidates: [], min: 0, max: 0, suggested: [] },
    ],
    ties: [],
  };
  it('fills a template', () => {
    let filling = startFilling(attack);
    expect(compose(attack, filling)).toBe('attack 1313 with A air');
    filling = toggle(attack, filling, 0, 'B');
    filling = toggle(attack, filling, 0, 'C');
    filling = toggle(attack, filling, 1, 'G');
    expect(compose(attack, filling)).toBe('attack 1313 with A B artillery G air');
    filling = toggle(attack, filling, 0, 'A');
    filling = toggle(attack, filling, 0, 'B');
    expect(complete(attack, filling)).toBe(false);
    expect(toggle(attack, filling, 0, 'Z')).toBe(filling);
  });
  it('knows what a form names, by its words and by what was filled in', () => {
    const draft = { option: offer('attack 1313', attack), template: attack, filling: [['A', 'B'], ['G'], []], action: '', ready: true, verdict: null, sheet: null, asking: false };
    expect(namedIn(draft)).toEqual({ units: ['A', 'B', 'G'], places: ['1313'] });
  });
  it('hides what another slot rules out', () => {
    const units = (words: string, min: number, max: number, suggested: string[]): Template['parts'][number] => ({ words, kind: 'units', label: '', candidates: ['A', 'B', 'C'], min, max, suggested });
    const led: Template = {
      parts: [units('attack 1313 with', 1, 3, ['A', 'B', 'C']), units('lead', 1, 1, ['B']), units('attached', 0, 1, [])],
      ties: [
        { slot: 1, on: 0, kind: 'among', groups: [] },
        { slot: 2, on: 0, kind: 'among', groups: [] },
        { slot: 2, on: 1, kind: 'apart', groups: [['A', 'B'], ['C']] },
      ],
    };
    let filling = startFilling(led);
    expect([openIn(led, filling, 1), openIn(led, filling, 2)]).toEqual([['A', 'B', 'C'], ['C']]);
    filling = toggle(led, filling, 2, 'C');
    expect(compose(led, filling)).toBe('attack 1313 with A B C lead B attached C');
    // Another unit leads: who is of its formation is attached no longer.
    filling = toggle(led, filling, 1, 'C');
    expect(compose(led, filling)).toBe('attack 1313 with A B C lead C');
    expect(openIn(led, filling, 2)).toEqual(['A', 'B']);
    // The leader stays behind: somebody else leads.
    filling = toggle(led, filling, 0, 'C');
    expect(compose(led, filling)).toBe('attack 1313 with A B lead B');
    expect(openIn(led, filling, 2)).toEqual([]);
    expect(toggle(led, filling, 2, 'A')).toBe(filling);
  });
  it('names an amount within its limits', () => {
    const shells: Template = {
      parts: [
        { words: 'attack 1313 with', kind: 'units', label: '', candidates: ['A'], min: 1, max: 1, suggested: ['A'] },
        { words: 'shells', kind: 'amount', label: '', candidates: [], min: 0, max: 2, suggested: [] },
      ],
      ties: [],
    };
    let filling = startFilling(shells);
    expect([compose(shells, filling), complete(shells, filling)]).toEqual(['attack 1313 with A', true]);
    for (const expected of ['1', '2', '2']) {
      filling = changeAmount(shells, filling, 1, 1);
      expect(compose(shells, filling)).toBe(`attack 1313 with A shells ${expected}`);
    }
    filling = changeAmount(shells, changeAmount(shells, filling, 1, -1), 1, -5);
    expect(compose(shells, filling)).toBe('attack 1313 with A');
    const steps: Template = { parts: [{ ...shells.parts[1]!, words: 'lose', min: 1 }], ties: [] };
    expect(compose(steps, startFilling(steps))).toBe('lose 1');
    expect(changeAmount(shells, filling, 0, 1)).toBe(filling);
  });
  it('walks a path and cuts it back', () => {
    const path: Template = {
      parts: [{ words: 'retreat C', kind: 'path', label: '', candidates: [], min: 1, max: 3, suggested: [] }],
      ties: [],
    };
    let filling = toggle(path, [[]], 0, '1314');
    filling = toggle(path, filling, 0, '1415');
    expect(compose(path, filling)).toBe('retreat C 1314 1415');
    expect(toggle(path, filling, 0, '1314')).toEqual([['1314']]);
  });
});

describe('patches', () => {
  const piece = (id: string, at: string) => ({ id, at }) as View['pieces'][number];
  const view: View = { turn: null, pieces: [piece('A', '1'), piece('B', '2')], markers: [], panels: [] };
  it('changes, adds and removes pieces and leaves the rest the same object', () => {
    const next = patched(view, { pieces: [piece('A', '3'), piece('C', '1')], gone: ['B'] });
    expect(next.pieces.map((p) => p.id + p.at)).toEqual(['A3', 'C1']);
    expect(patched(view, { markers: [] }).pieces).toBe(view.pieces);
  });
  it('changes panels by id, and takes their order where some came or went', () => {
    const panel = (id: string, key: string) => ({ id, title: { key }, rows: [] }) as View['panels'][number];
    const before: View = { ...view, panels: [panel('dead', 'x'), panel('track', 'x')] };
    const shown = (v: View) => v.panels.map((p) => p.id + p.title.key).join(' ');
    expect(shown(patched(before, { panels: [panel('dead', 'y')] }))).toBe('deady trackx');
    expect(shown(patched(before, { panels: [panel('due', 'z')], panel_order: ['due', 'dead', 'track'] }))).toBe('duez deadx trackx');
    expect(shown(patched(before, { panel_order: ['track'] }))).toBe('trackx');
    expect(patched(before, { markers: [] }).panels).toBe(before.panels);
  });
  const line = (seq: number, decision: number) => ({ seq, decision }) as LogLine;
  it('takes no line twice and drops what was undone', () => {
    const lines = withLines([], [line(1, 1), line(2, 2), line(3, 3)]);
    expect(withLines(lines, [line(3, 3), line(4, 4)]).map((l) => l.seq)).toEqual([1, 2, 3, 4]);
    expect(withLines(lines, [], 1).map((l) => l.decision)).toEqual([1]);
  });
});

describe('the report', () => {
  const line = (kind: string, unit: string, key = 'log.x', place?: string): LogLine =>
    ({ decision: 1, entry: { level: 1, topic: key === 'log.moved' ? 'move' : 'other', message: { key, args: [['unit', { unit }], ...(place ? [['hex', { place }]] : [])] }, data: kind ? { kind, unit } : null } }) as unknown as LogLine;
  const kept = (lines: LogLine[]): number[] => condense(lines).map((l) => lines.indexOf(l));

  it('tells a way by its end', () => {
    // Hex by hex, with turns between, and what it cost.
    expect(kept([line('move', 'A'), line('move', 'A'), line('turn_to', 'A'), line('move', 'A'), line('turn_to', 'A'), line('moved', 'A')])).toEqual([3, 5]);
    // The last line names the place itself.
    expect(kept([line('step', 'A'), line('step', 'A'), line('', 'A', 'log.moved', '1313')])).toEqual([2]);
  });
  it('keeps what happened on the way, and other units', () => {
    expect(kept([line('step', 'A'), line('roll', 'A'), line('step', 'A')])).toEqual([0, 1, 2]);
    expect(kept([line('step', 'A'), line('step', 'B')])).toEqual([0, 1]);
    expect(kept([line('turn_to', 'A')])).toEqual([0]);
  });
});
