// Files that go out of the page.

import { positionFile, type LabStep } from '../lab/text';
import { api } from '../net/api';
import { go } from '../router.svelte';
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

/** The position that is shown, as a lab: what stands where, and what is asked of it. */
export function openLab(table: Table, steps: LabStep[]): void {
  if (!table.game || !table.info) return;
  const text = positionFile(table.game, table.info, table.view, (id) => table.cell(id) !== undefined, steps);
  sessionStorage.setItem('grognard.lab', text);
  sessionStorage.setItem('grognard.lab.from', JSON.stringify({ id: table.id, decision: table.past?.decision ?? table.now?.decision ?? 0 }));
  go({ page: 'lab' });
}
