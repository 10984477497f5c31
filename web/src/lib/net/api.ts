// The server's REST API. A guest account is created when first needed; its token is kept in this browser.

import type { Board } from '../protocol';
import type {
  CatalogueItem,
  GameDetail,
  GameSummary,
  Luck,
  LogLine,
  Me,
  NewGame,
  Notices,
  Opening,
  OverlayChanges,
  Past,
  Reviewed,
  SeatChoice,
  ErrorBody,
} from '../protocol';
import type { TileMeta } from '../board/tiles';

const TOKEN = 'grognard.token';

/** An error told by the server, or why it could not be reached. */
export interface Failure extends Omit<ErrorBody, 'code'> {
  code: ErrorBody['code'] | 'offline' | 'timeout' | 'closed' | 'unknown';
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly error: Failure,
  ) {
    super(error.detail);
  }
  get code(): string {
    return this.error.code;
  }
}

export function token(): string | null {
  return localStorage.getItem(TOKEN);
}

function keep(value: string | null): void {
  if (value === null) localStorage.removeItem(TOKEN);
  else localStorage.setItem(TOKEN, value);
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = {};
  const mine = token();
  if (mine) headers.authorization = `Bearer ${mine}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(`/api${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new ApiError(0, { code: 'offline', detail: 'the server cannot be reached' });
  }
  const text = await response.text();
  let value: unknown;
  try {
    value = text === '' ? undefined : JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!response.ok) {
    const error = (value as { error?: ErrorBody } | undefined)?.error;
    throw new ApiError(response.status, error ?? { code: 'unknown', detail: `${response.status} ${response.statusText}` });
  }
  return value as T;
}

const get = <T>(path: string): Promise<T> => call<T>('GET', path);
const post = <T>(path: string, body: unknown = {}): Promise<T> => call<T>('POST', path, body);

let guest: Promise<Me> | null = null;

/** The current user; creates a guest if there is none. */
export function identify(language: string): Promise<Me> {
  guest ??= (async () => {
    if (token()) {
      try {
        return await get<Me>('/me');
      } catch (e) {
        if (!(e instanceof ApiError) || e.status !== 401) throw e;
        keep(null);
      }
    }
    const made = await post<{ token: string; user: Me }>('/guest', { language });
    keep(made.token);
    return made.user;
  })();
  guest.catch(() => (guest = null));
  return guest;
}

async function signedIn(promise: Promise<{ token: string; user: Me }>): Promise<Me> {
  const { token: value, user } = await promise;
  keep(value);
  guest = Promise.resolve(user);
  return user;
}

const query = (args: Record<string, string | number | null | undefined>): string => {
  const given = Object.entries(args).filter(([, v]) => v !== undefined && v !== null && v !== '');
  return given.length ? `?${new URLSearchParams(given.map(([k, v]) => [k, String(v)]))}` : '';
};

export interface MapSource {
  board: string;
  meta: string;
  tile: (z: number, x: number, y: number) => string;
  svg: string;
}

/** Addresses of a game's map before it is created (`scenario`), or of one that is played (`id`). */
export function mapOf(
  what: { game: string; scenario: string; edition?: string | null | undefined } | { id: string },
  language: string,
): MapSource {
  const base = 'id' in what ? `/games/${encodeURIComponent(what.id)}` : `/catalogue/${encodeURIComponent(what.game)}`;
  const args = 'id' in what ? {} : { scenario: what.scenario, edition: what.edition };
  const q = query({ ...args, lang: language });
  return {
    board: `${base}/board${query(args)}`,
    meta: `${base}/map/meta.json${q}`,
    tile: (z, x, y) => `/api${base}/map/${z}/${x}/${y}.png${q}`,
    svg: `/api${base}/map.svg${q}`,
  };
}

export const api = {
  catalogue: () => get<CatalogueItem[]>('/catalogue'),
  messages: (game: string, language: string) =>
    get<Record<string, string>>(`/catalogue/${encodeURIComponent(game)}/messages/${language}`),
  /** What a pack overlay would change, or an error that says why it is refused. */
  tryOverlay: (game: string, overlay: string) => post<OverlayChanges>(`/catalogue/${encodeURIComponent(game)}/overlay`, { overlay }),
  board: (map: MapSource) => get<Board>(map.board),
  tileMeta: (map: MapSource) => get<TileMeta>(map.meta),
  /** A scenario before its first decision. */
  opening: (game: string, scenario: string, edition: string) => get<Opening>(`/catalogue/${encodeURIComponent(game)}/opening${query({ scenario, edition })}`),
  games: (list: 'mine' | 'open' | 'public' | 'archived') => get<GameSummary[]>(`/games?list=${list}`),
  game: (id: string) => get<GameDetail>(`/games/${encodeURIComponent(id)}`),
  create: (game: NewGame) => post<{ game: GameDetail; invites: { seat: number; code: string }[] }>('/games', game),
  join: (id: string, body: { seat?: number; code?: string; look?: boolean }) => post<GameDetail>(`/games/${encodeURIComponent(id)}/join`, body),
  invite: (id: string, seat: number) => post<{ seat: number; code: string }>(`/games/${encodeURIComponent(id)}/invite`, { seat }),
  rematch: (id: string, swap: boolean) => post<GameDetail>(`/games/${encodeURIComponent(id)}/rematch`, { swap }),
  archive: (id: string, archived: boolean) => post<void>(`/games/${encodeURIComponent(id)}/archive`, { archived }),
  replay: (id: string, viewer: string) =>
    get<{ decisions: number; lines: LogLine[] }>(`/games/${encodeURIComponent(id)}/replay${query({ viewer })}`),
  past: (id: string, n: number, viewer: string) => get<Past>(`/games/${encodeURIComponent(id)}/at/${n}${query({ viewer })}`),
  importGame: (journal: string, seats: SeatChoice[]) =>
    post<{ game: GameDetail; invites: { seat: number; code: string }[] }>('/import', { journal, seats }),
  /** A new game that continues from a moment of another. */
  branch: (id: string, decision: number, seats: SeatChoice[]) =>
    post<{ game: GameDetail; invites: { seat: number; code: string }[] }>(`/games/${encodeURIComponent(id)}/branch`, { decision, seats, analysis: true }),
  /** A bot's review of a finished game. */
  luck: (id: string) => post<Luck>(`/games/${encodeURIComponent(id)}/luck`),
  review: (id: string, seat: number) => post<Reviewed>(`/games/${encodeURIComponent(id)}/review/${seat}`),
  /** Run a lab file. */
  lab: (text: string, language: string) => post<unknown>('/lab', { text, language }),
  rename: (name: string) => call<Me>('PATCH', '/me', { name }),
  setLanguage: (language: string) => call<Me>('PATCH', '/me', { language }),
  /** An empty address removes the webhook. */
  setWebhook: (webhook: string) => call<Me>('PATCH', '/me', { webhook }),
  account: (login: string, password: string) => post<Me>('/account', { login, password }),
  login: (login: string, password: string) => signedIn(post('/login', { login, password })),
  logout: async () => {
    await post('/logout');
    keep(null);
    guest = null;
  },
  device: () => post<{ code: string; expires_ms: number }>('/device'),
  claim: (code: string) => signedIn(post('/device/claim', { code })),
  notices: (since: number, wait: number) => get<Notices>(`/notices${query({ since, wait })}`),
  /** A lab file that plays the game up to a moment. */
  async labText(id: string, decision: number): Promise<string> {
    const mine = token();
    const response = await fetch(`/api/games/${encodeURIComponent(id)}/lab?decision=${decision}`, { headers: mine ? { authorization: `Bearer ${mine}` } : {} });
    if (!response.ok) throw new ApiError(response.status, { code: 'unknown', detail: response.statusText });
    return response.text();
  },
  /** The journal as a file; needs the token, so it cannot be a plain link. */
  async journal(id: string): Promise<Blob> {
    const mine = token();
    const response = await fetch(`/api/games/${encodeURIComponent(id)}/journal`, {
      headers: mine ? { authorization: `Bearer ${mine}` } : {},
    });
    if (!response.ok) throw new ApiError(response.status, { code: 'unknown', detail: response.statusText });
    return response.blob();
  },
};
