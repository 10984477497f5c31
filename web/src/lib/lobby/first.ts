import type { GameInfo, ScenarioInfo } from '../protocol';

/** The scenario for a first game: the shortest. */
export const firstScenario = (info: GameInfo): ScenarioInfo | undefined => [...info.scenarios].sort((a, b) => a.minutes - b.minutes || a.turns - b.turns)[0];
