import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { type FeeSchedule, feeSchedule } from '../../ledger/fees.ts'
import type { FeeScheduleRow } from '../../projections/rows.ts'
import type { PublicOutcome } from '../../public-market/public-market.ts'
import { type TapeBatch, tapeBatch } from '../../would-fill/tape.ts'
import type { Pool } from '../create-pool.ts'
import { decodeEvent, type TailedEvent } from '../tailed-event.ts'
import { createPastReads, type PastReads } from './past-reads.ts'
import { createPublicReads, type PublicReads } from './public-reads.ts'
import { queryOnce } from './snapshot.ts'

/** Range of the history, by engine_sequence. */
export type TapeRange = {
  /** Exclusive. */
  readonly after: number
  /** Inclusive; the last event of a batch. */
  readonly through: number
}

/** Reads of the public record along the book of one outcome. @throws {ServiceError} SERVICE_UNAVAILABLE */
export type TapeReads = Pick<PastReads, 'headAt' | 'market'> &
  Pick<PublicReads, 'head' | 'markets'> & {
    /** Yields the batches of a range that changed the outcome's book, market or trades, oldest first. */
    batches(outcome: PublicOutcome, range: TapeRange): AsyncGenerator<TapeBatch>
    /** Yields those that corrected trades; they have nothing else. */
    corrections(outcome: PublicOutcome, range: TapeRange): AsyncGenerator<TapeBatch>
    /** Fees at an instant; null: unknown. */
    feesAt(market_id: string, at: Micros): Promise<FeeSchedule | null>
  }

/** Rows of one page: few megabytes, whatever the range is. */
const PAGE_ROWS = 5000
const ALL_KINDS = ['market', 'book', 'trade', 'trade_correction']

/** Creates the reads over a pool of the trading database. @param page_rows rows read at once; more than one batch has */
export function createTapeReads(pool: Pool, page_rows = PAGE_ROWS): TapeReads {
  const { headAt, market } = createPastReads(pool)
  const { head, markets } = createPublicReads(pool)
  const read = (kinds: readonly string[]) => (outcome: PublicOutcome, range: TapeRange) =>
    readBatches(pool, outcome, range, { kinds, page_rows })
  return {
    head,
    headAt,
    market,
    markets,
    batches: read(ALL_KINDS),
    corrections: read(['trade_correction']),
    async feesAt(market_id, at) {
      const [row] = await queryOnce<FeeScheduleRow>(pool, 'fee_schedule_at', [market_id, formatMicros(at)])
      if (row === undefined) return null
      const { schedule_id, schedule_version, taker_rate, maker_rate } = row
      return feeSchedule(schedule_id, schedule_version, { taker_rate, maker_rate })
    },
  }
}

async function* readBatches(
  pool: Pool,
  outcome: PublicOutcome,
  { after, through }: TapeRange,
  { kinds, page_rows }: { readonly kinds: readonly string[]; readonly page_rows: number },
): AsyncGenerator<TapeBatch> {
  let [waiting, read_through]: [TailedEvent[], number] = [[], after]
  for (;;) {
    const page = [outcome.market.market_id, outcome.outcome_id, kinds, read_through, through, page_rows]
    const rows = await queryOnce<TailedEvent>(pool, 'public_tape', page)
    for (const row of rows) {
      if (waiting.length > 0 && waiting[0]!.batch_sequence !== row.batch_sequence) {
        yield batchOf(outcome, waiting)
        waiting = []
      }
      waiting.push(row)
    }
    if (rows.length < page_rows) break
    read_through = rows.at(-1)!.engine_sequence
  }
  if (waiting.length > 0) yield batchOf(outcome, waiting)
}

function batchOf(outcome: PublicOutcome, rows: readonly TailedEvent[]): TapeBatch {
  return tapeBatch(outcome, rows[0]!.at, rows.map(decodeEvent))
}
