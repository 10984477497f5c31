// Each game's lesson from its first step to its goal, by a pupil who does what is asked.
import assert from 'node:assert/strict';
import { all, begin, decide, learn } from '../pupil.mjs';

/** A step that is done already may be left out; the last comes only after the goal. */
const whole = (seen) => assert.ok(seen[0] === 1 && seen.length > 8 && seen.every((n, i) => i === 0 || n > seen[i - 1]), `${seen}`);

/** Fire where one can; else drive at the enemy; else go on. Commands are given once in a turn. */
async function skirmish(player) {
  const options = await all(player);
  const given = await player.page.evaluate(() => window.grognard.table.live.pieces.filter((p) => p.states?.some((s) => /^command_(?!hidden)/.test(s))).map((p) => p.id));
  const commands = options.filter((o) => /^command /.test(o.action) && !given.includes(o.action.split(' ')[1]));
  const far = await player.page.evaluate(
    (list) => {
      const { table, handle } = window.grognard;
      const on = (cell) => handle().geometry.at(cell);
      return list.map(({ seat, action }) => {
        const cell = action.split(' ').findLast((word) => table.cell(word));
        const at = cell && on(cell);
        const foes = table.live.pieces.filter((p) => p.seat === 1 - seat && table.cell(p.at)).map((p) => on(p.at));
        return at ? Math.min(...foes.map((foe) => Math.hypot(at.x - foe.x, at.y - foe.y))) : Infinity;
      });
    },
    options.map(({ seat, action }) => ({ seat, action })),
  );
  const near = options.map((o, i) => ({ ...o, far: far[i] })).filter((o) => /^move \S+ to /.test(o.action)).sort((a, b) => a.far - b.far)[0];
  const chosen =
    commands.find((o) => / fire$/.test(o.action)) ??
    commands.find((o) => / move$/.test(o.action)) ??
    options.find((o) => /^(fire|gp|assault) /.test(o.action)) ??
    near ??
    options.find((o) => /^(done|hold|no )/.test(o.action)) ??
    options.find((o) => !/^command/.test(o.action)) ??
    options[0];
  await decide(player, chosen);
}

/** The sheet of the first shot that is offered is opened, and confirmed. */
const aim = async (player) => {
  for (let i = 0; i < 30; i++) {
    const { asked, buttons } = await player.state();
    if (/direct_fire/.test(asked?.key ?? '') && /^fire/.test(buttons[0] ?? '')) break;
    await skirmish(player);
  }
  await player.press('1');
};

export const panzerLesson = async ({ url, person, shot }) => {
  const player = await person();
  await begin(player, url, 'Panzer');
  const seen = await learn(player, {
    onward: skirmish,
    deeds: { move: skirmish, attack: aim, fight: (p) => p.press('Enter') },
    shot: ({ n }) => ([5, 11, 12].includes(n) ? shot(player, `panzer-lesson-${n}-1440`) : undefined),
  });
  whole(seen);
};

export const panzerLesson2 = async ({ url, person, shot }) => {
  const player = await person();
  await begin(player, url, 'Panzer', /^Advanced/);
  const seen = await learn(player, {
    onward: async (p) => {
      const down = (await all(p)).find((o) => /^dismount D1/.test(o.action));
      await (down ? decide(p, down) : skirmish(p));
    },
    deeds: { move: skirmish },
    shot: ({ n }) => ([2, 9, 12, 13].includes(n) ? shot(player, `panzer-lesson2-${n}-1440`) : undefined),
  });
  whole(seen);
};

/** Whatever is asked, quickly, with the best attacks; ground that was given up is entered. */
async function press(player) {
  const advance = (await player.state()).direct.find((action) => /^advance/.test(action));
  if (advance) await decide(player, { seat: (await player.state()).asked.seat, action: advance });
  else await player.fast({ decisions: 1, attack: true });
}

export const hollandLesson = async ({ url, person, shot }) => {
  const player = await person();
  await begin(player, url, 'Holland');
  const seen = await learn(player, {
    onward: press,
    deeds: {
      move: async (p) => {
        if (!(await p.state()).targets.length) await p.selectMover();
        await p.click((await p.state()).targets[0]);
      },
      // Space chooses where the arrow points.
      select: (p) => p.press(' '),
      'phase:combat': (p) => p.done(),
      attack: async (p) => p.click((await p.bestAttack()).target),
      fight: async (p) => {
        await p.fillSlots();
        await p.press('Enter');
      },
    },
    shot: ({ n }) => ([2, 4, 6, 9, 11, 14, 16, 17].includes(n) ? shot(player, `holland-lesson-${n}-1440`) : undefined),
  });
  whole(seen);
};
