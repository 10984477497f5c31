// A click needs press and release over the same element. Code that moves elements waits until no button is held.

let down = false;
let waiting: (() => void)[] = [];

if (typeof addEventListener === 'function') {
  const release = (): void => {
    // The click event follows the release.
    setTimeout(() => {
      down = false;
      for (const go of waiting.splice(0)) go();
    });
  };
  addEventListener('pointerdown', () => (down = true), true);
  addEventListener('pointerup', release, true);
  addEventListener('pointercancel', release, true);
}

/** Run as soon as no mouse button is held down. */
export function handsOff(): Promise<void> {
  return down ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();
}
