import { expect, it } from 'vitest';
import { percent } from '../src/lib/i18n/percent';

it('rounds a chance and its opposite alike', () => {
  expect([0.002, 0.998].map(percent)).toEqual(['0.2%', '99.8%']);
  expect([0.0001, 0.9999].map(percent)).toEqual(['<0.1%', '>99.9%']);
  expect([0, 1, 0.42, 0.07, 0.93].map(percent)).toEqual(['0%', '100%', '42%', '7.0%', '93%']);
});
