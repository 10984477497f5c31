// Files and pictures saved from the page.

import type { BoardHandle } from '../board/Board.svelte';
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

/** Save the game's journal; false if it is not available yet. */
export async function saveJournal(table: Table): Promise<boolean> {
  const blob = await api.journal(table.id).catch(() => null);
  if (blob) save(blob, `${table.game?.game ?? 'game'}-${table.id}.json`);
  return blob !== null;
}

/** How long a picture waits for a sharp map, in milliseconds. */
const PATIENCE = 4000;

/** The map around these places, as much of it as the window holds and nothing beyond its edges, with these lines under it, as a picture. */
export async function savePicture(handle: BoardHandle, places: string[], lines: string[], name: string): Promise<void> {
  const { camera } = handle;
  const kept = { x: camera.x, y: camera.y, scale: camera.scale, insets: camera.insets };
  camera.insets = { top: 0, right: 0, bottom: 0, left: 0 };
  handle.frame(places);
  const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
  const until = performance.now() + PATIENCE;
  do {
    handle.redraw();
    await frame();
    await frame();
  } while (!handle.mapComplete() && performance.now() < until);
  const layers = [...document.querySelectorAll<HTMLCanvasElement>('[data-board] canvas')];
  const dots = (layers[0]?.width ?? 1) / camera.window.width;
  const [first, last] = [camera.toScreen({ x: 0, y: 0 }), camera.toScreen({ x: camera.board.width, y: camera.board.height })];
  const left = Math.max(0, Math.ceil(first.x * dots));
  const top = Math.max(0, Math.ceil(first.y * dots));
  const width = Math.min(layers[0]?.width ?? 1, Math.floor(last.x * dots)) - left;
  const height = Math.min(layers[0]?.height ?? 1, Math.floor(last.y * dots)) - top;
  const strip = Math.round(Math.max(width, 700) * 0.09);
  const sheet = Object.assign(document.createElement('canvas'), { width, height: height + strip });
  const c = sheet.getContext('2d')!;
  const style = getComputedStyle(document.documentElement);
  c.fillStyle = style.getPropertyValue('--card');
  c.fillRect(0, 0, width, height + strip);
  for (const layer of layers) c.drawImage(layer, left, top, width, height, 0, 0, width, height);
  Object.assign(camera, kept);
  handle.redraw();
  c.fillStyle = style.getPropertyValue('--ink');
  c.textBaseline = 'middle';
  lines.forEach((line, i) => {
    c.font = `${i ? 400 : 700} ${strip * (i ? 0.2 : 0.3)}px ${style.getPropertyValue('--serif')}`;
    c.fillText(line, strip * 0.3, height + strip * (0.24 + i * 0.28), width - strip * 0.6);
  });
  return new Promise((resolve) =>
    sheet.toBlob((blob) => {
      if (blob) save(blob, name);
      resolve();
    }, 'image/png'),
  );
}

/** The position that is shown, as a lab: what stands where, and what is asked of it. */
export function openLab(table: Table, steps: LabStep[]): void {
  if (!table.game || !table.info) return;
  const text = positionFile(table.game, table.info, table.view, (id) => table.cell(id) !== undefined, steps);
  sessionStorage.setItem('grognard.lab', text);
  sessionStorage.setItem('grognard.lab.from', JSON.stringify({ id: table.id, decision: table.past?.decision ?? table.now?.decision ?? 0 }));
  go({ page: 'lab' });
}
