import type { RobustnessAnalysis } from "./analysis.ts";
import { CONDITIONS } from "./conditions.ts";
import type { CostRow } from "./robustness-result.ts";

/** Mean turns and tokens of the episodes of every model under every condition that it has. */
export function costTable(analysis: RobustnessAnalysis, setting: number): CostRow[] {
  const { store, models, subsetsOf, cellsOf, countsOf } = analysis;
  return models.flatMap((model) =>
    CONDITIONS.flatMap((condition) => {
      const cells = subsetsOf(model).flatMap((subset) => cellsOf(model, subset, condition, setting));
      let episodes = 0;
      for (const cell of cells) {
        const { size, n } = countsOf([cell]);
        for (let i = 0; i < size; i++) episodes += n[i] as number;
      }
      if (episodes === 0) return [];
      const name = store.models.key(model);
      const [turns, tokens] = [store.turns.meanOf(cells), store.tokens.meanOf(cells)];
      return [{ model: name, condition, episodes, turns, tokens }];
    }),
  );
}
