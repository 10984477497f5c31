import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { speak } from './lib/i18n/ui.svelte';
import { prefs } from './lib/prefs.svelte';

await speak(prefs.language);
mount(App, { target: document.getElementById('app')! });
