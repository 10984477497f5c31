// A page that was open while the server was updated reloads itself, once, to avoid a reload loop.

const KEY = 'grognard.renewed';
const AGAIN = 60_000;

/** Reload the page; false if that has just been tried. */
export function renew(now = Date.now()): boolean {
  const last = Number(sessionStorage.getItem(KEY) ?? 0);
  if (now - last < AGAIN) return false;
  sessionStorage.setItem(KEY, String(now));
  location.reload();
  return true;
}

/**
 * A chunk of the page that is loaded on demand. If it no longer exists and the page reloads instead, Vite resolves
 * the import to undefined: then the promise stays pending, so that nobody uses the chunk before the reload.
 */
export async function later<T>(part: Promise<T>): Promise<T> {
  const loaded: T | undefined = await part;
  return loaded ?? new Promise<never>(() => undefined);
}
