// The server rolls its own dice and takes no orders about them. A game from a file goes on with the dice of that file.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
const committed = (seed) => sha256('grognard dice 1\n', Buffer.from(seed, 'hex'));

/** Dice that fall alike in every run: the games these pages make are opened from a file that holds their seed. */
export async function sameDice(context, number) {
  const seed = sha256(`browser test ${number}`);
  await context.route('**/api/games', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const { setup, ...terms } = route.request().postDataJSON();
    const journal = JSON.stringify({ format: 1, setup, commitment: committed(seed), seed, records: [] });
    const headers = { ...route.request().headers() };
    delete headers['content-length'];
    const url = route.request().url().replace(/games$/, 'import');
    await route.fulfill({ response: await route.fetch({ url, headers, postData: JSON.stringify({ journal, ...terms }) }) });
  });
}

/** The games of questions.txt (made by crates/ardennes/tests/questions.rs, which says how), as files that the lobby opens:
 * `[question, journal]` each. */
export function questionGames() {
  const text = readFileSync(new URL('./questions.txt', import.meta.url), 'utf8');
  return text
    .split(/^= /m)
    .slice(1)
    .map((section) => {
      const [head, seedLine, ...lines] = section.trimEnd().split('\n');
      const [, question, json] = /^(\S+) (.*)$/.exec(head);
      const setup = JSON.parse(json);
      const seed = seedLine.replace('seed ', '');
      const commitment = committed(seed);
      const filled = Object.entries(setup).filter(([, value]) => value !== null && value.length !== 0);
      let digest = sha256(`grognard journal 1\n${JSON.stringify(Object.fromEntries(filled.sort(([a], [b]) => (a < b ? -1 : 1))))}\n${commitment}\n`);
      const records = lines.map((line) => {
        const [, seat, action, rolls, at] = /^(\d) (.*?)(?: \[(\d+)\])? @(\d+)$/.exec(line);
        const deed = { seat: Number(seat), kind: 'act', action, ...(rolls ? { rolls: [...rolls].map(Number) } : {}), at: Number(at) };
        digest = sha256(`${digest}\n${JSON.stringify(deed)}\n`);
        return { ...deed, digest };
      });
      return [question, JSON.stringify({ format: 1, setup, commitment, seed, records })];
    });
}
