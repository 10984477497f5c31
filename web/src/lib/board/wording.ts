import type { Face } from '../protocol';

// What is printed on counters in the language of the page.

/** The title of a counter: a key of the game's messages, or the text itself. The table sets it when its words are there. */
export const wording = { title: (text: string): string => text };

/** A unit's name as its counter prints it: `106/424`, `2Pz/3/I`. */
export function unitLabel(face: Face): string {
  return [face.title, face.left, face.right].filter(Boolean).join('/') || face.symbol.replace(/^silhouette:/, '');
}
