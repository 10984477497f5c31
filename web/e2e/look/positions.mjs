// Positions that are worth a look.

/** The sheet of the best attack is open. */
export async function toFight(player) {
  const best = await player.bestAttack();
  if (!best) throw new Error('nobody can attack');
  await player.click(best.target);
  if (!(await player.state()).draft) throw new Error(`no sheet at ${best.target}`);
  // The sheet proposes who attacks.
  if ((await player.state()).draft.verdict !== 'legal') await player.fillSlots();
  await player.page.waitForFunction(() => window.grognard.flow.draft?.sheet, null, { timeout: 15_000 }).catch(() => undefined);
}

/** A fight is shown and does not go away. */
export async function staged(player) {
  const best = await player.bestAttack();
  await player.page.evaluate(async (action) => {
    const { table, stage } = window.grognard;
    await table.act(table.now.asks[0].seat, action);
    stage.hold(true);
  }, best.action);
  for (let i = 0; i < 12 && !(await player.page.evaluate(() => window.grognard.stage.fight?.result)); i++) await player.fast({ decisions: 1 });
}
