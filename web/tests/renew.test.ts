import { describe, expect, it } from 'vitest';
import { later } from '../src/lib/net/renew';

describe('a part of the page that is fetched later', () => {
  it('is handed on', async () => {
    expect(await later(Promise.resolve({ default: 1 }))).toEqual({ default: 1 });
  });
  it('is never handed on as nothing: the page reloads instead', async () => {
    const gone = later(Promise.resolve(undefined));
    const soon = new Promise((resolve) => setTimeout(() => resolve('still waiting'), 20));
    expect(await Promise.race([gone, soon])).toBe('still waiting');
  });
  it('fails where it fails', async () => {
    await expect(later(Promise.reject(new Error('offline')))).rejects.toThrow('offline');
  });
});
