import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { invariant } from '../../../primitives/errors.ts'
import type { TradedMarket } from '../../../service/sandbox/maker-quotes.ts'
import { tidemarkProcess } from '../../../test/support/run-cli.ts'

const TERMS = {
  price_min: '0.01',
  price_max: '0.99',
  price_increment: '0.01',
  quantity_increment: '0.01',
  minimum_quantity: '1.00',
  settlement_asset_id: 'asset_usd',
  shorting_permitted: true,
  complementary: true,
}
const FEES = { schedule_id: 'fees_standard', taker_rate: '0.02', maker_rate: '0' }

/** Lists and opens complementary markets on a running service, as an operator does. */
export async function listMarkets(home: string, count: number): Promise<readonly TradedMarket[]> {
  const folder = join(home, 'markets')
  mkdirSync(folder, { recursive: true })
  const markets: TradedMarket[] = []
  for (let n = 1; n <= count; n += 1) {
    const market_id = `mkt_maker_${String(n).padStart(2, '0')}`
    const outcome_ids = [`out_${market_id}_yes`, `out_${market_id}_no`] as const
    const file = join(folder, `${market_id}.json`)
    const outcomes = outcome_ids.map((outcome_id, ordinal) => ({ outcome_id, label: ordinal === 0 ? 'Yes' : 'No' }))
    const market = { market_id, title: `Question ${n}?`, outcomes, trading_parameters: TERMS, fees: FEES }
    writeFileSync(file, JSON.stringify({ market }))
    await operate(home, 'market', 'add', file)
    await operate(home, 'market', 'open', market_id)
    markets.push({ market_id, outcome_ids })
  }
  return markets
}

async function operate(home: string, ...argv: readonly string[]): Promise<void> {
  const { exit_code, stderr } = await tidemarkProcess([...argv, '--reason', 'rel:maker', '--home', home])
  invariant(exit_code === 0, `tidemark ${argv.join(' ')}: ${stderr}`)
}
