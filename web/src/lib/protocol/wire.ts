// What the server says and hears besides the kernel's types (docs/PROTOCOL.md).

import type {
  Entry,
  GameInfo,
  Marker,
  Outcome,
  Panel,
  Pending,
  Piece,
  Prompt,
  Refusal,
  Seat,
  Setup,
  TurnView,
  View,
} from './kernel';

export const PROTOCOL = 1;

export interface Me {
  id: string;
  name: string;
  account: boolean;
  login?: string;
  webhook?: string | null;
  language?: string;
}

export interface WireError {
  code: string;
  detail: string;
  refusal?: Refusal;
}

export interface CatalogueItem {
  info: GameInfo;
  bots: { id: string; name: string }[];
  languages: string[];
}

export type SeatChoice =
  | { kind: 'me'; name?: string }
  | { kind: 'hotseat'; name: string }
  | { kind: 'invite' }
  | { kind: 'open' }
  | { kind: 'bot'; level: string };

export type Clock = { kind: 'none' } | { kind: 'live'; base_s: number; increment_s: number } | { kind: 'turn'; hours: number };

export interface NewGame {
  setup: Setup;
  seats: SeatChoice[];
  clock?: Clock;
  visibility?: 'public' | 'link' | 'private';
  title?: string;
}

export interface SeatView {
  seat: Seat;
  kind: 'person' | 'bot' | 'open' | 'invited';
  name?: string | null;
  level?: string | null;
  me: boolean;
  online: boolean;
}

export interface GameSummary {
  id: string;
  game: string;
  scenario: string;
  title: string;
  status: 'waiting' | 'playing' | 'over';
  visibility: 'public' | 'link' | 'private';
  clock: Clock;
  seats: SeatView[];
  mine: Seat[];
  /** Seats that must decide, as bits. */
  awaiting: number;
  created: number;
  updated: number;
  archived: boolean;
}

export interface GameDetail extends GameSummary {
  setup: Setup;
  host: boolean;
  commitment: string;
  seed?: string;
  rematch?: string;
}

export interface Ask {
  seat: Seat;
  prompt: Prompt;
  subjects: string[];
}

export type Viewer = { seat: Seat } | 'spectator' | 'referee';

export interface Now {
  seq: number;
  moment: number;
  decision: number;
  viewer: Viewer;
  status: 'waiting' | 'playing' | 'over';
  pending: Pending;
  asks: Ask[];
  undo: Seat[];
  takeback?: { by: Seat; agreed: number } | null;
  clocks: { seat: Seat; left_ms: number; running: boolean }[];
  result?: { how: 'played' | 'resigned' | 'timeout'; outcome: Outcome } | null;
}

export interface LogLine {
  seq: number;
  decision: number;
  at: number;
  entry: Entry;
}

export interface ChatLine {
  seq: number;
  at: number;
  name: string;
  seat?: Seat | null;
  text: string;
}

export interface ViewPatch {
  turn?: TurnView | null;
  pieces?: Piece[];
  gone?: string[];
  markers?: Marker[];
  panels?: Panel[];
  extra?: unknown;
}

export type ServerFrame =
  | {
      type: 'welcome';
      protocol: number;
      game: GameDetail;
      seats: Seat[];
      now: Now;
      view: View;
      lines: LogLine[];
      chat: ChatLine[];
      from: number;
      undone?: number;
    }
  | { type: 'update'; now: Now; patch?: ViewPatch; view?: View; undone?: number; lines?: LogLine[]; chat?: ChatLine[] }
  | { type: 'looked'; now: Now; view: View }
  | { type: 'table'; game: GameDetail }
  | { type: 'thinking'; seat: Seat; on: boolean }
  | { type: 'reply'; id: number; result: Record<string, unknown> | string }
  | { type: 'refused'; id: number; error: WireError };

export interface Past {
  decision: number;
  of: number;
  view: View;
  pending: Pending;
  lines: LogLine[];
}
