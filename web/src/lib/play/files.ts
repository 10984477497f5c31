// Files that go out of the page.

import { api } from '../net/api';
import type { Table } from './table.svelte';

export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The game's journal as a file; false if it may not be had yet. */
export async function saveJournal(table: Table): Promise<boolean> {
  const blob = await api.journal(table.id).catch(() => null);
  if (blob) save(blob, `${table.game?.game ?? 'game'}-${table.id}.json`);
  return blob !== null;
}
