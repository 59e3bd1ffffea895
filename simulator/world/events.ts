import type { Micros } from '../../primitives/instants.ts'
import type { Grid } from './grid.ts'
import type { LevelChange } from './ladder.ts'
import type { Bet, Stage, Trade } from './market-state.ts'

/** An event on a venue, at an instant, in one market. */
export type WorldEvent = { readonly at: Micros; readonly market: number } & (
  | { readonly type: 'stage_changed'; readonly stage: Stage }
  | {
      readonly type: 'book_changed'
      readonly change: LevelChange
      /** The book's serial number after the change. */
      readonly version: number
      /** True: the venue sends the message twice. */
      readonly repeated: boolean
    }
  | { readonly type: 'traded'; readonly trade: Trade }
  | { readonly type: 'grid_changed'; readonly from: Grid; readonly to: Grid }
  | { readonly type: 'trade_corrected'; readonly trade: Trade }
  | { readonly type: 'bet_placed'; readonly bet: Bet }
  | { readonly type: 'bet_filled'; readonly bet: Bet }
)

/** Events of one market in one short moment; `at` is the instant of the last one. */
export type WorldBatch = {
  readonly at: Micros
  readonly market: number
  /** True: the venue is down and sends no messages. */
  readonly down: boolean
  readonly events: readonly WorldEvent[]
}
