// Links to send to the players invited to a new table.

import type { GameDetail, GameInfo } from '../protocol';
import { address } from '../router.svelte';
import { gameWord } from './words.svelte';

interface Created {
  game: GameDetail;
  invites: { seat: number; code: string }[];
}

export function inviteLinks(info: GameInfo, made: Created): { side: string; link: string }[] {
  return made.invites.map(({ seat, code }) => ({
    side: gameWord(info.id, info.seats[seat]?.name ?? ''),
    link: `${location.origin}/${address({ page: 'join', id: made.game.id, code })}`,
  }));
}
