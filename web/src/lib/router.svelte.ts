// Addresses are kept behind `#`, so that codes in links never reach a server's log.

export type Route =
  | { page: 'lobby' }
  | { page: 'new'; game: string; scenario?: string }
  | { page: 'table'; id: string; at?: number }
  | { page: 'join'; id: string; code: string }
  | { page: 'device'; code: string }
  | { page: 'rules'; game: string; rule?: string }
  | { page: 'lab'; code?: string };

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/').map(decode);
  const [page, a, b] = parts;
  if (page === 'new' && a) return b ? { page, game: a, scenario: b } : { page, game: a };
  // `game` is used in webhook messages.
  if ((page === 'table' || page === 'game') && a) {
    const at = Number(new URLSearchParams(query).get('at') ?? Number.NaN);
    return Number.isInteger(at) && at >= 0 ? { page: 'table', id: a, at } : { page: 'table', id: a };
  }
  if (page === 'join' && a && b) return { page, id: a, code: b };
  if (page === 'device' && a) return { page, code: a };
  if (page === 'rules' && a) return b ? { page, game: a, rule: b } : { page, game: a };
  if (page === 'lab') return a ? { page, code: a } : { page };
  return { page: 'lobby' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function address(route: Route): string {
  const e = encodeURIComponent;
  switch (route.page) {
    case 'lobby':
      return '#/';
    case 'new':
      return `#/new/${e(route.game)}${route.scenario ? `/${e(route.scenario)}` : ''}`;
    case 'table':
      return `#/table/${e(route.id)}${route.at === undefined ? '' : `?at=${route.at}`}`;
    case 'join':
      return `#/join/${e(route.id)}/${e(route.code)}`;
    case 'device':
      return `#/device/${e(route.code)}`;
    case 'lab':
      return `#/lab${route.code ? `/${route.code}` : ''}`;
    case 'rules':
      return `#/rules/${e(route.game)}${route.rule ? `/${e(route.rule)}` : ''}`;
  }
}

export const router = $state<{ route: Route }>({ route: parseRoute(typeof location === 'undefined' ? '' : location.hash) });

export function go(route: Route, replace = false): void {
  if (replace) history.replaceState(null, '', address(route));
  else history.pushState(null, '', address(route));
  router.route = route;
}

export function listen(): () => void {
  const changed = (): void => {
    router.route = parseRoute(location.hash);
  };
  addEventListener('hashchange', changed);
  addEventListener('popstate', changed);
  return () => {
    removeEventListener('hashchange', changed);
    removeEventListener('popstate', changed);
  };
}
