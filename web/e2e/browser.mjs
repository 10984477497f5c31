// Chromium, and people at it.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { sameDice } from './dice.mjs';
import { Player } from './player.mjs';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const executablePath = [process.env.GROGNARD_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
if (!executablePath) throw new Error('no Chromium found; name one by GROGNARD_CHROMIUM');

const launch = () => chromium.launch({ executablePath, args: FLAGS });
let launching = launch();

/** A fresh browser profile: another person. With `dice: null` the games made by it are made as anybody's are. */
export async function person({ size = [1440, 900], touch = false, prefs = {}, scale = 1, dice = 1 } = {}) {
  // A browser that died takes no other test with it.
  if (!(await launching).isConnected()) launching = launch();
  const browser = await launching;
  const context = await browser.newContext({
    viewport: { width: size[0], height: size[1] },
    hasTouch: touch,
    isMobile: touch,
    deviceScaleFactor: scale,
    locale: 'en-US',
  });
  await context.addInitScript((value) => {
    if (!localStorage.getItem('grognard.prefs')) localStorage.setItem('grognard.prefs', value);
  }, JSON.stringify({ language: 'en', theme: 'light', animate: false, ...prefs }));
  if (dice !== null) await sameDice(context, dice);
  return new Player(await context.newPage(), { touch });
}

export async function closeBrowser() {
  await (await launching).close();
}
