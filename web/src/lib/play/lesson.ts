// Lessons that have been begun: which table, which step.

export interface Kept {
  game: string;
  table: string;
  step: number;
  /** The table of the message file with its words: `lesson`, or `lesson2` where a game has a second one. */
  words?: string;
}

const KEY = 'grognard.lessons';

export function lessons(): Kept[] {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown;
    return Array.isArray(list) ? (list as Kept[]) : [];
  } catch {
    return [];
  }
}

function save(list: Kept[]): void {
  localStorage.setItem(KEY, JSON.stringify(list.slice(-20)));
}

/** A lesson begins at a table. */
export function beginLesson(game: string, table: string, words = 'lesson'): void {
  save([...lessons().filter((k) => k.game !== game), { game, table, step: 0, words }]);
}
export function lessonOf(table: string): Kept | null {
  return lessons().find((k) => k.table === table) ?? null;
}
export function keepLesson(table: string, step: number): void {
  save(lessons().map((k) => (k.table === table ? { ...k, step } : k)));
}
export function endLesson(table: string): void {
  save(lessons().filter((k) => k.table !== table));
}
