// Calls the user: a bell when it is their move again, and browser notifications about an open but hidden table: it is the
// user's move, somebody wrote, somebody waits for an answer. (The server notifies users who do not have the table open.)

import { personName, t } from '../i18n/ui.svelte';
import { call } from '../notices.svelte';
import type { Flow } from './flow.svelte';
import { sound } from './sound';
import type { Table } from './table.svelte';

/** Call during the initialisation of the table page. */
export function callWhileAway(table: Table, flow: Flow): void {
  const name = (): string => table.game?.title || (table.info ? table.word(table.info.name) : t('app.name'));
  const tell = (words: string): void => void call(table.id, name(), words);

  let decided = -1;
  /** The previous question was for a player at another screen. */
  let waited = false;
  $effect(() => {
    if (table.past || table.now?.status !== 'playing') return;
    if (flow.ask && waited) sound('turn');
    waited = !flow.ask;
  });
  $effect(() => {
    const decision = table.now?.decision ?? -1;
    if (!flow.ask || table.past || decision === decided) return;
    decided = decision;
    tell(table.tell(flow.ask.prompt.message));
  });

  let heard = -1;
  $effect(() => {
    const line = table.chat.at(-1);
    const seq = line?.seq ?? 0;
    const mine = line?.seat !== undefined && table.seats.includes(line.seat);
    if (line && heard >= 0 && seq > heard && !mine) {
      sound('word');
      tell(`${personName(line.name)}: ${line.text}`);
    }
    if (table.now) heard = seq;
  });

  let asked = '';
  $effect(() => {
    const request = table.now?.takeback ?? table.now?.proposal ?? null;
    const key = request && !table.seats.includes(request.by) && table.seats.length ? `${table.now!.takeback ? 'takeback_asked' : 'proposed'}` : '';
    if (key && key !== asked) tell(t(key === 'proposed' ? 'notice.proposed' : 'notice.takeback_asked', { game: name() }));
    asked = key;
  });
}
