import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { nato } from './scripts/nato';

// During development the page comes from Vite and everything under /api from a running `grognard serve`.
const server = process.env.GROGNARD_URL ?? 'http://127.0.0.1:4444';

export default defineConfig({
  plugins: [svelte(), nato()],
  build: { target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  server: { proxy: { '/api': { target: server, ws: true } } },
  test: { include: ['tests/**/*.test.ts'], environment: 'node', setupFiles: ['tests/setup.ts'] },
});
