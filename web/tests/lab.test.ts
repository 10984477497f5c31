import { describe, expect, it } from 'vitest';
import { diceOf, pack, positionFile, unitsOf, unpack, withDice, withTerrain, withUnit } from '../src/lib/lab/text';
import type { GameDetail, GameInfo, View } from '../src/lib/protocol';

const face = { ground: 'de', symbol: 'infantry', size: '', left: '', right: '', title: '', factors: [], reduced: true };
const view = {
  turn: { number: 3, last: 22, name: { key: 'x' }, phase: { key: 'phase.combat' }, rule: '', seat: 0, conditions: [], mood: { night: false, overcast: false, ground: null }, lab_phase: 'combat' },
  pieces: [
    { id: 'de-1', seat: 0, at: '1212', layer: 0, face, states: ['disrupted'], active: true },
    { id: 'de-2', seat: 0, at: 'box:west', layer: 0, face, active: true },
  ],
  markers: [],
  panels: [],
} as unknown as View;
const game = { setup: { game: 'ardennes44', edition: '2e', scenario: 'campaign', options: [] } } as unknown as GameDetail;
const info = { seats: [{ id: 'german' }, { id: 'allied' }] } as unknown as GameInfo;

describe('a position as a lab file', () => {
  const text = positionFile(game, info, view, (id) => id === '1212', [{ kind: 'ask', text: 'why de-1 1313' }]);

  it('says where the game stands, who is on the map and what is asked', () => {
    expect(text).toContain('game = "ardennes44"\nedition = "2e"\nscenario = "campaign"\nturn = 3\nside = "german"\nphase = "combat"\ndice = []');
    expect(text).toContain('[[unit]]\nid = "de-1"\nhex = "1212"\nstate = ["reduced", "disrupted"]');
    expect(text).not.toContain('de-2');
    expect(text).toContain('[[step]]\nask = "why de-1 1313"');
  });

  it('has what only the game knows: lines of the head, steps of counters', () => {
    const lab = { head: 'active = "4MRD"\n', steps: { 'de-1': 3 } };
    const more = positionFile(game, info, { ...view, turn: { ...view.turn, lab } } as View, (id) => id === '1212', []);
    expect(more).toContain('dice = []\nactive = "4MRD"\n\n[[unit]]\nid = "de-1"\nhex = "1212"\nsteps = 3\n');
  });

  it('is changed unit by unit', () => {
    const [unit] = unitsOf(text);
    expect(unit).toMatchObject({ id: 'de-1', hex: '1212', state: 'reduced, disrupted' });
    const moved = withUnit(text, unit!, { hex: '1313', state: 'engaged' });
    expect(unitsOf(moved)).toMatchObject([{ id: 'de-1', hex: '1313', state: 'engaged' }]);
    expect(moved).toContain('[[step]]\nask = "why de-1 1313"');
    expect(unitsOf(withUnit(moved, unitsOf(moved)[0]!, null))).toEqual([]);
  });

  it('takes other terrain, hex by hex', () => {
    const once = withTerrain(text, '1212', 'forest');
    expect(once).toContain('[map]\nterrain.forest = ["1212"]\n\n[[unit]]');
    const twice = withTerrain(withTerrain(once, '1313', 'forest'), '1414', 'town');
    expect(twice).toContain('terrain.forest = ["1212", "1313"]');
    expect(twice).toContain('terrain.town = ["1414"]');
    expect(withTerrain(twice, '1212', 'town')).toContain('terrain.forest = ["1313"]');
    expect(withTerrain(withTerrain(once, '1212', 'town'), '1515', 'town')).not.toContain('forest');
  });

  it('takes dice in any writing', () => {
    expect(diceOf(withDice(text, '4 2,6'))).toBe('4, 2, 6');
  });

  it('comes back out of its link', async () => {
    expect(await unpack(await pack(text))).toBe(text);
  });
});
