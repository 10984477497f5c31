// The server rolls its own dice and takes no orders about them. A game from a file goes on with the dice of that file.
import { createHash } from 'node:crypto';

/** Dice that fall alike in every run: the games these pages make are opened from a file that holds their seed. */
export async function sameDice(context, number) {
  const seed = createHash('sha256').update(`browser test ${number}`).digest();
  const commitment = createHash('sha256').update('grognard dice 1\n').update(seed).digest('hex');
  await context.route('**/api/games', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const { setup, ...terms } = route.request().postDataJSON();
    const journal = JSON.stringify({ format: 1, setup, commitment, seed: seed.toString('hex'), records: [] });
    const headers = { ...route.request().headers() };
    delete headers['content-length'];
    const url = route.request().url().replace(/games$/, 'import');
    await route.fulfill({ response: await route.fetch({ url, headers, postData: JSON.stringify({ journal, ...terms }) }) });
  });
}
