// The kernel's types as serde writes them (crates/kernel/src). Comments there say what each field means.

export type Seat = number;

export interface Message {
  key: string;
  args?: [string, Arg][];
}

export type Arg =
  | { number: number }
  | { unit: string }
  | { place: string }
  | { term: string }
  | { text: string }
  | { list: Arg[] }
  | { message: Message };

export interface View {
  turn: TurnView | null;
  pieces: Piece[];
  markers: Marker[];
  panels: Panel[];
  extra?: unknown;
}

export interface TurnView {
  number: number;
  last: number;
  name: Message;
  phase: Message;
  rule: string;
  seat: Seat | null;
  conditions: Message[];
}

export interface Piece {
  id: string;
  seat: Seat | null;
  at: string;
  layer: number;
  facing?: number;
  face: Face;
  states?: string[];
  active?: boolean;
}

export interface Face {
  ground: string;
  bar?: string;
  symbol: string;
  size: string;
  left: string;
  right: string;
  title: string;
  factors: string[];
  badges?: Badge[];
  reduced: boolean;
}

export interface Badge {
  kind: string;
  text: string;
  tone: string;
}

export interface Marker {
  kind: string;
  at: string;
  seat?: Seat;
  text: string;
}

export interface Panel {
  id: string;
  title: Message;
  rows: PanelRow[];
}

export interface PanelRow {
  label: Message;
  value?: Message;
  pieces?: string[];
  current: boolean;
  rule?: string;
}

export interface Sheet {
  title: Message | null;
  lines: SheetLine[];
  chances: Chance[];
}

export interface SheetLine {
  label: Message;
  value: string;
  rule: string;
  level: number;
}

export interface Chance {
  label: Message;
  p: number;
  tone: number;
}

export type Pending = { one: Seat } | { each: number } | { over: Outcome };

export interface Outcome {
  winner: Seat | null;
  why: Message;
  rule: string;
}

export interface Prompt {
  message: Message;
  rule: string;
}

export interface Template {
  parts: Slot[];
}

export type SlotKind = 'words' | 'units' | 'places' | 'choice' | 'path';

export interface Slot {
  words: string;
  kind: SlotKind;
  label: string;
  candidates: string[];
  min: number;
  max: number;
  suggested: string[];
}

export interface OptionItem {
  action: string;
  template?: Template;
}

export interface Refusal {
  rule: string;
  why: Message;
}

export type Verdict = 'legal' | { illegal: Refusal };

export type Audience = 'all' | { only: number };

export interface Entry {
  audience?: Audience;
  seat: Seat | null;
  message: Message;
  level: number;
  data?: unknown;
}

export interface Board {
  width: number;
  height: number;
  outline: [number, number][];
  cells: Cell[];
  boxes: BoxInfo[];
}

export interface Cell {
  id: string;
  x: number;
  y: number;
  name?: string;
  terrain: string[];
}

export interface BoxInfo {
  id: string;
  name: string;
  at?: [number, number];
}

export interface GameInfo {
  id: string;
  name: string;
  about: string;
  seats: SeatInfo[];
  editions: string[];
  scenarios: ScenarioInfo[];
  options: OptionInfo[];
  secrets: boolean;
}

export interface SeatInfo {
  id: string;
  name: string;
  colour: string;
}

export interface ScenarioInfo {
  id: string;
  name: string;
  about: string;
  turns: number;
  minutes: number;
}

export interface OptionInfo {
  id: string;
  name: string;
  rule: string;
  default: boolean;
  editions: string[];
}

export interface Setup {
  game: string;
  edition?: string | null;
  scenario: string;
  options?: string[];
  overlay?: string;
}
