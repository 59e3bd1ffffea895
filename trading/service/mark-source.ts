import type { SetMarks } from '../engine/settlement-commands.ts'

/** Where marks of listed markets come from: declared here, filled by whoever starts the process. The engine is told them as commands. */
export type MarkSource = {
  /** The newest marks of these markets, of all their outcomes that have one. */
  marksOf(market_ids: readonly string[]): Promise<SetMarks['marks']>
}
