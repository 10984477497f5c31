// A real server for the tests: the program named by GROGNARD_BIN on a free port with a fresh database, or one that
// runs already (GROGNARD_URL).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

export async function startServer() {
  if (process.env.GROGNARD_URL) return { url: process.env.GROGNARD_URL, restart: null, stop: async () => {} };
  const program = process.env.GROGNARD_BIN;
  if (!program) throw new Error('GROGNARD_BIN (a built program) or GROGNARD_URL (a running server) is needed');
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'grognard-e2e-'));
  const url = `http://127.0.0.1:${port}`;
  let child;
  const run = async () => {
    child = spawn(program, ['serve', '--no-limits', '--port', String(port), '--database', `sqlite:${join(dir, 'games.sqlite')}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (data) => (said = (said + data).slice(-4000)));
    const until = Date.now() + 30_000;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the server ended (${child.exitCode}):\n${said}`);
      try {
        if ((await fetch(`${url}/api/catalogue`)).ok) return;
      } catch {
        // Not yet listening.
      }
      if (Date.now() > until) throw new Error(`the server does not answer:\n${said}`);
      await new Promise((r) => setTimeout(r, 100));
    }
  };
  const halt = async (signal) => {
    if (child.exitCode !== null) return;
    const ended = new Promise((r) => child.once('exit', r));
    child.kill(signal);
    await ended;
  };
  await run();
  return {
    url,
    /** Killed hard and started again on the same database. */
    restart: async () => {
      await halt('SIGKILL');
      await run();
    },
    stop: async () => {
      await halt('SIGINT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
