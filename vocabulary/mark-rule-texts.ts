import type { MarkRule } from './index-level.ts'

/**
 * Reasons for the rule of a mark, as people read them: the first rule that applies gives the mark (methodology §4). Apart from the rules,
 * because the page loads these texts with the lineage alone.
 */
export const MARK_RULE_TEXTS: Readonly<Record<MarkRule, string>> = {
  M0: 'final payout',
  M1: 'middle of a tight book',
  M2: 'middle by depth: the spread is too wide for M1',
  M3: 'median of bid, ask and a recent trade: the spread is wide, or a depth is not known',
  M4: 'middle of the book: no depth and no recent trade',
  M5: 'last trade: no book that gives a mark',
  M5r: 'reported probability: no book and no trade',
  M6: 'one minus the other outcome: the own quote gives no mark',
  M7: 'carried: the newest quotes of both outcomes give no mark by M1 to M6',
  frozen: 'last mark before the market stopped',
  fixing: 'fixing from trades and marks of its partitions',
}
