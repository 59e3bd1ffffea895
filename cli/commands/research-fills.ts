import { Option } from 'commander'
import type { FillStudy } from '../../operations/own-venue/study-fills.ts'
import { parseId } from '../../primitives/ids.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Invocation } from '../../service/invocation.ts'
import type { TradingPorts } from '../../service/trading/with-trading.ts'
import { SIDES, type Side, type TimeInForce } from '../../vocabulary/order.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { fromOption, microsOption, toOption } from '../options.ts'
import { onTrading } from '../trading/on-engine.ts'
import { type RowFlags, withRowOptions } from '../trading/row-options.ts'

type Options = RowFlags & {
  readonly market: string
  readonly outcome: string
  readonly side: Side
  readonly price: string
  readonly quantity: string
  readonly from: string
  readonly to: string
  readonly every: Micros
  readonly horizon: Micros
  readonly timeInForce: TimeInForce
  readonly postOnly?: boolean
}

/** `tidemark research fills`: how one order would have filled from each of many starts on, in one pass over the public record. */
export function researchFillsCommand(context: CommandContext) {
  const order = '--market mkt_1 --outcome out_yes --side BUY --price 0.55 --quantity 10'
  const range = '--from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z'
  const command = defineCommand('fills', 'tell how an order would have filled from each start in [from, to)', [
    `tidemark research fills ${order} ${range} --every 1h --horizon 24h --out fills.parquet`,
  ])
    .requiredOption('--market <market>', 'id of a market listed here')
    .requiredOption('--outcome <outcome>', 'id of one of its outcomes')
    .addOption(new Option('--side <side>', 'side of the order').choices(SIDES).makeOptionMandatory())
    .requiredOption('--price <price>', 'limit price')
    .requiredOption('--quantity <quantity>', 'quantity of the order')
    .addOption(fromOption().makeOptionMandatory())
    .addOption(toOption().makeOptionMandatory())
    .addOption(microsOption('--every <duration>', 'time from one start to the next').default(HOUR, '1h'))
    .addOption(microsOption('--horizon <duration>', 'time that each start is followed').default(DAY, '24h'))
    .addOption(
      new Option('--time-in-force <rule>', 'how long the order may work').choices(['GTC', 'FOK', 'FAK']).default('GTC'),
    )
    .option('--post-only', 'reject the order where it would take')
  return onTrading<Options>(withRowOptions(command), context, runStudy)
}

const HOUR: Micros = 3_600_000_000
const DAY: Micros = 24 * HOUR

async function runStudy({ options, output }: Invocation<Options>, { pool }: TradingPorts): Promise<undefined> {
  const { createTapeReads } = await import('../../trading/store/read/tape-reads.ts')
  const { studyFills } = await import('../../operations/own-venue/study-fills.ts')
  const { FillRow } = await import('../../trading/would-fill/fill-row.ts')
  const { writeRows } = await import('../trading/write-rows.ts')
  const rows = studyFills(createTapeReads(pool), studyOf(options))
  await writeRows(rows, FillRow, { options, output, what: 'starts' })
}

function studyOf(options: Options): FillStudy {
  const { market, outcome, side, price, quantity, timeInForce, postOnly, from, to, every, horizon } = options
  const order = {
    market_id: parseId('mkt', market, '--market'),
    outcome_id: parseId('out', outcome, '--outcome'),
    side,
    limit_price: price,
    quantity,
    time_in_force: timeInForce,
    expires_at: null,
    post_only: postOnly === true,
  }
  return { order, from: toMicros(from, '--from'), to: toMicros(to, '--to'), every, horizon }
}
