import { groupAdvantages, trustGroup } from "calibrant/rewards";
import { ACTION_NAMES, goldAnswers, responseText } from "./response-text.mjs";

/** The rewards compared, in the order of tables and pictures. */
export const REWARDS = [
  { name: "plain", title: "R without c" },
  { name: "paper", title: "R_UQ, paper" },
  { name: "released", title: "R_UQ, released" },
];

/**
 * The rewards compared, by name: functions of the rollouts of one group, `{ gold, action, words, logprobs }` each, that
 * return one reward each. All terms come from the package; `plain` adds three of them up, the paper's ablation c = 1.
 */
export function rewardFunctions({ tokens, tau, answer }) {
  const answers = answer === "off" ? [] : goldAnswers(tokens);
  const readable = (rollouts) => ({
    goldAction: ACTION_NAMES[rollouts[0].gold],
    goldAnswer: answers[rollouts[0].gold],
    rollouts: rollouts.map(({ action, words, logprobs }) => ({
      response: responseText(action, words),
      logprobs,
    })),
  });
  return {
    plain: (rollouts) => {
      const { rFmt, rAns, rCls } = trustGroup(readable(rollouts), { tau, answer });
      return rFmt.map((format, i) => format + rAns[i] + rCls[i]);
    },
    paper: (rollouts) => trustGroup(readable(rollouts), { tau, answer }).reward,
    released: (rollouts) => trustGroup(readable(rollouts), { variant: "released", tau }).reward,
  };
}

/** Rewards of groups that lie one after the other, `size` rollouts each. */
export function rewardsOfGroups(rewardOf, rollouts, size) {
  const rewards = new Float64Array(rollouts.length);
  for (let at = 0; at < rollouts.length; at += size) rewards.set(rewardOf(rollouts.slice(at, at + size)), at);
  return rewards;
}

/** Group-relative advantages of rollouts, as GRPO takes them. */
export function advantagesOf(rewards, rollouts, std) {
  const groups = Int32Array.from(rollouts, ({ group }) => group);
  return groupAdvantages(rewards, groups, { std }).advantage;
}
