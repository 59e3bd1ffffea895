import type { SetMarks } from '../engine/settlement-commands.ts'

/**
 * Source of marks for listed markets: declared here, implemented by the process that starts the engine, and submitted to the
 * engine as commands.
 */
export type MarkSource = {
  /** Returns the newest marks of these markets, for all outcomes that have one. */
  marksOf(market_ids: readonly string[]): Promise<SetMarks['marks']>
}
