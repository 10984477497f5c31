// Keyboard control of the whole table. RESERVED lists the letters that no overlay of a game may use.

import { tokensOf } from './form';
import type { Page } from './page.svelte';

export const RESERVED = 'adeimruw';

/** What is pressed for a letter of the page: with Shift where an overlay of the game has the letter. */
export function pressed(overlays: readonly { key: string }[], letter: string): string {
  const key = letter.toLowerCase();
  return overlays.some((o) => o.key === key) && !RESERVED.includes(key) ? `⇧${letter}` : letter;
}

/** Does this element take text, or use the same keys for choosing? */
function isField(target: HTMLElement): boolean {
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button|file|range)$/.test(target.type);
  return /^(TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
}

/** The focused element uses this key itself. */
function isTaken(target: HTMLElement, key: string): boolean {
  if (target instanceof HTMLInputElement) return target.type === 'range' ? /^(Arrow|Home|End|Page)/.test(key) : key === ' ' || key.startsWith('Arrow');
  // In a sheet, Space toggles the focused token; Enter confirms the sheet.
  if (target.tagName === 'BUTTON') return key === ' ' || (key === 'Enter' && target.closest('[data-slot]') === null);
  return target.tagName === 'A' && key === 'Enter';
}

export function onKey(page: Page, e: KeyboardEvent): void {
  const { flow, table, overlays } = page;
  const target = e.target as HTMLElement;
  if (isField(target) || e.ctrlKey || e.metaKey || e.altKey) {
    if (e.key === 'Escape') target.blur();
    return;
  }
  if (isTaken(target, e.key)) return;
  if (alongSlot(target, e.key) || (e.key === 'Tab' && !e.shiftKey && enterSheet(page, target))) {
    e.preventDefault();
    return;
  }
  if (page.handle?.key(e)) {
    e.preventDefault();
    return;
  }
  const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  // A game's overlays take precedence over letters that have a button as well (g, h, l); with Shift these do what they always do.
  const laid = e.shiftKey ? undefined : overlays.list.find((o) => o.key === key && !RESERVED.includes(key));
  if (laid) {
    void overlays.toggle(laid.id);
    e.preventDefault();
    return;
  }
  switch (key) {
    case 'Escape':
      page.escape();
      break;
    case ' ':
      page.nextUnit(e.shiftKey ? -1 : 1);
      break;
    case 'Enter':
      if (page.focus && !flow.draft?.ready && !flow.picked && flow.warned === null) page.chooseFocus(e.shiftKey);
      else void flow.confirm();
      break;
    case 'a': {
      const all = table.live.pieces.filter((p) => p.at === flow.stack && flow.subjects.unit.has(p.id)).map((p) => p.id);
      if (all.length) void flow.select(all);
      break;
    }
    case 'u':
      void flow.undo();
      break;
    case 'd':
      if (flow.blocked) page.showBlocked();
      else void flow.done();
      break;
    case 'l':
      page.toggleLog();
      break;
    case 'm':
      if (table.plan) table.dropPlan();
      else if (flow.seat !== null && !table.past) table.startPlan(flow.seat);
      break;
    case 'h':
      page.hideCounters = !page.hideCounters;
      break;
    case 'g':
      page.dialog = 'goto';
      break;
    case 'e':
      page.openTab('tracks');
      break;
    case 'i':
      void page.analysis.advise();
      break;
    case 'w':
      void page.analysis.play();
      break;
    case 'r':
      page.rule = flow.ask?.prompt.rule ?? table.view.turn?.rule ?? null;
      break;
    case '?':
      page.toggleDialog('keys');
      break;
    case '[':
    case ']':
      void page.stepBack(key === '[' ? -1 : 1);
      break;
    default:
      if (/^[1-9]$/.test(key)) number(page, Number(key));
      else return;
  }
  e.preventDefault();
}

/** From the map into the open sheet, at the first slot that lacks something; false where the focus is in a sheet already. */
function enterSheet(page: Page, target: HTMLElement): boolean {
  if (!page.flow.draft || target.closest('[data-sheet]')) return false;
  const slots = [...document.querySelectorAll<HTMLElement>('[data-sheet] [data-slot]')];
  const slot = slots.find((s) => s.dataset.lacks !== undefined) ?? slots[0];
  const token = slot?.querySelector<HTMLElement>('button:not(:disabled)') ?? document.querySelector<HTMLElement>('[data-sheet] footer button');
  token?.focus();
  return token !== null;
}

/** In a slot the arrows lead from token to token. */
function alongSlot(target: HTMLElement, key: string): boolean {
  const slot = target.closest('[data-slot]');
  if (!slot || !/^Arrow/.test(key)) return false;
  const tokens = [...document.querySelectorAll<HTMLElement>('[data-sheet] [data-slot] button:not(:disabled)')];
  const at = tokens.indexOf(target);
  tokens[at + (/Right|Down/.test(key) ? 1 : -1)]?.focus();
  return true;
}

/** A digit names one of the tokens of the open sheet, or picks one of the open choices; else the way of moving, if there are several; else the button with that number. */
function number(page: Page, n: number): void {
  const { flow } = page;
  if (flow.draft) {
    const token = tokensOf(flow.draft)[n - 1];
    if (token) flow.toggle(token.slot, token.value);
    return;
  }
  if (flow.choices.length) {
    const choice = flow.choices[n - 1];
    if (choice) void flow.perform(choice);
    return;
  }
  if (flow.ways.length > 1) {
    const way = flow.ways[n - 1];
    if (way) flow.setWay(way.key);
    return;
  }
  const option = flow.pressable[n - 1];
  if (option) void flow.press(option);
}
