// What every part of the table page shares.

import { getContext, setContext } from 'svelte';
import type { Analysis } from './analysis.svelte';
import type { Flow } from './flow.svelte';
import type { Keepsakes } from './keepsakes.svelte';
import type { Overlays } from './overlays.svelte';
import type { Pacer } from './pacer.svelte';
import type { Page } from './page.svelte';
import type { Stage } from './stage.svelte';
import type { Table } from './table.svelte';

export interface TableContext {
  table: Table;
  flow: Flow;
  overlays: Overlays;
  analysis: Analysis;
  page: Page;
  pacer: Pacer;
  stage: Stage;
  keep: Keepsakes;
  /** Scroll to a place, or to a unit's place, and highlight it briefly. */
  show(place: string): void;
  showUnit(unit: string): void;
  openRule(rule: string): void;
}

const KEY = Symbol('table');

export function provide(context: TableContext): TableContext {
  return setContext(KEY, context);
}

export function useTable(): TableContext {
  return getContext<TableContext>(KEY);
}
