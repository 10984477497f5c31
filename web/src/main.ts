import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { missingFonts, speak } from './lib/i18n/ui.svelte';
import { renew } from './lib/net/renew';
import { prefs } from './lib/prefs.svelte';

// A chunk that is loaded later may be gone if the server was updated meanwhile.
addEventListener('vite:preloadError', (event) => {
  if (renew()) event.preventDefault();
});

void missingFonts().catch(() => undefined);
await speak(prefs.language);
mount(App, { target: document.getElementById('app')! });
