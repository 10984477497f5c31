// A player's private notes, pinned to a hex or a turn, and bookmarks of the replay. Kept in this browser only; nobody
// else ever sees them.

import type { ChatLine, Seat } from '../protocol';

export interface Note {
  id: number;
  text: string;
  /** The hex it is pinned to, if any. */
  at: string | null;
  turn: number | null;
}

export interface Bookmark {
  decision: number;
  name: string;
}

interface Stored {
  notes: Note[];
  marks: Bookmark[];
  /** The last line of the chat that was read. */
  read: number;
}

export class Keepsakes {
  notes = $state.raw<Note[]>([]);
  marks = $state.raw<Bookmark[]>([]);
  read = $state(0);
  private readonly key: string;

  constructor(game: string) {
    this.key = `grognard.keep.${game}`;
    try {
      const stored = JSON.parse(localStorage.getItem(this.key) ?? '{}') as Partial<Stored>;
      this.notes = stored.notes ?? [];
      this.marks = stored.marks ?? [];
      this.read = stored.read ?? 0;
    } catch {
      // Unreadable data is discarded.
    }
  }

  private save(): void {
    localStorage.setItem(this.key, JSON.stringify({ notes: this.notes, marks: this.marks, read: this.read } satisfies Stored));
  }

  add(text: string, at: string | null, turn: number | null): void {
    const id = 1 + Math.max(0, ...this.notes.map((n) => n.id));
    this.notes = [...this.notes, { id, text, at, turn }];
    this.save();
  }
  drop(id: number): void {
    this.notes = this.notes.filter((n) => n.id !== id);
    this.save();
  }
  /** Set or remove a bookmark. */
  mark(decision: number, name: string): void {
    const known = this.marks.some((m) => m.decision === decision);
    this.marks = known ? this.marks.filter((m) => m.decision !== decision) : [...this.marks, { decision, name }].sort((a, b) => a.decision - b.decision);
    this.save();
  }
  /** Number of unread messages from others. */
  unread(chat: ChatLine[], mine: Seat[]): number {
    return chat.filter((line) => line.seq > this.read && !(line.seat !== undefined && mine.includes(line.seat))).length;
  }
  /** The chat has been read up to this line. */
  seen(seq: number): void {
    if (seq <= this.read) return;
    this.read = seq;
    this.save();
  }
}
