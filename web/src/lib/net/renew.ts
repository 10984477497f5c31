// A page that was left open while the server was renewed loads itself anew; once, lest it turn in a circle.

const KEY = 'grognard.renewed';
const AGAIN = 60_000;

/** Load the page anew; false if that has just been tried. */
export function renew(now = Date.now()): boolean {
  const last = Number(sessionStorage.getItem(KEY) ?? 0);
  if (now - last < AGAIN) return false;
  sessionStorage.setItem(KEY, String(now));
  location.reload();
  return true;
}

/**
 * A part of the page that is fetched when it is needed. Where it is gone and the page reloads instead, Vite resolves
 * the import to nothing: then the part stays pending, so that nobody works with it before the reload.
 */
export async function later<T>(part: Promise<T>): Promise<T> {
  const loaded: T | undefined = await part;
  return loaded ?? new Promise<never>(() => undefined);
}
