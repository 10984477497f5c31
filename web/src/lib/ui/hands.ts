// A click is a button pressed and let go over the same thing. Whoever moves things about waits for the hand.

let down = false;
let waiting: (() => void)[] = [];

if (typeof addEventListener === 'function') {
  const release = (): void => {
    // The click comes after the release.
    setTimeout(() => {
      down = false;
      for (const go of waiting.splice(0)) go();
    });
  };
  addEventListener('pointerdown', () => (down = true), true);
  addEventListener('pointerup', release, true);
  addEventListener('pointercancel', release, true);
}

/** As soon as no button is held down. */
export function handsOff(): Promise<void> {
  return down ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();
}
