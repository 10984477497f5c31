// Every test by its name, in the order they run.
import * as between from './tests/between.mjs';
import * as first from './tests/first.mjs';
import * as games from './tests/games.mjs';
import * as hands from './tests/hands.mjs';
import * as informed from './tests/informed.mjs';
import * as keyboard from './tests/keyboard.mjs';
import * as lessons from './tests/lessons.mjs';
import * as lobby from './tests/lobby.mjs';
import * as online from './tests/online.mjs';
import * as panzer from './tests/panzer.mjs';
import * as fire from './tests/panzer-fire.mjs';
import * as people from './tests/people.mjs';
import * as play from './tests/play.mjs';
import * as questions from './tests/questions.mjs';
import * as settings from './tests/settings.mjs';
import * as settle from './tests/settle.mjs';
import * as stage from './tests/stage.mjs';
import * as staging from './tests/staging.mjs';
import * as table from './tests/table.mjs';
import * as wurzburg from './tests/wurzburg.mjs';
import * as rare from './tests/wurzburg-rare.mjs';

export const tests = { ...lobby, ...play, ...hands, ...panzer, ...fire, ...online, ...people, ...settings, ...table, ...keyboard, ...questions, ...stage, ...staging, ...informed, ...first, ...games, ...wurzburg, ...rare, ...lessons, ...settle, ...between };
