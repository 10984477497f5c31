// Who sits where, as a form holds it while it is filled in.
import type { CatalogueItem, SeatChoice } from '../protocol';

export type Kind = SeatChoice['kind'];

export interface Chosen {
  kind: Kind;
  /** The opponent, if it is the computer. */
  level: string;
}

/** What a form starts with: I sit in the first seat, the computer (if it plays this game) in the others. */
export const usualSeats = (item: CatalogueItem): Chosen[] =>
  item.info.seats.map((_, i) => ({ kind: i === 0 ? 'me' : item.bots.length ? 'bot' : 'hotseat', level: item.bots[Math.min(1, item.bots.length - 1)]?.id ?? '' }));

export const seatChoices = (seats: Chosen[]): SeatChoice[] => seats.map((s) => (s.kind === 'bot' ? { kind: 'bot', level: s.level } : { kind: s.kind }));
