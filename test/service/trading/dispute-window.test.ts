import { expect, test } from 'vitest'
import { addMarketCommand } from '../../../service/trading/add-market-command.ts'
import { disputeWindow } from '../../../service/trading/dispute-window.ts'
import { parseMarket } from '../../../service/trading/market-file.ts'
import type { MarketRead } from '../../../trading/store/operator/operator-reads.ts'
import { refusal } from '../../support/refusal.ts'

const listed = (dispute_window: string | null) => ({ dispute_window }) as MarketRead

test('a window is what is asked for, else as listed, else a minute in a sandbox and a day elsewhere', () => {
  expect(disputeWindow('PT2H', listed('PT30M'), 'sandbox')).toBe(7_200_000)
  expect(disputeWindow(undefined, listed('PT30M'), 'production')).toBe(1_800_000)
  expect(disputeWindow(undefined, listed(null), 'sandbox')).toBe(60_000)
  expect(disputeWindow(undefined, listed(null), 'production')).toBe(86_400_000)
  expect(disputeWindow('PT0S', listed(null), 'production')).toBe(0)
  refusal('VALIDATION_DURATION_INVALID', () => disputeWindow('soon', listed(null), 'sandbox'))
})

const MARKET = {
  market_id: 'mkt_x',
  title: 'X?',
  outcomes: [
    { outcome_id: 'out_x_yes', label: 'Yes' },
    { outcome_id: 'out_x_no', label: 'No' },
  ],
  trading_parameters: {
    price_min: '0.01',
    price_max: '0.99',
    price_increment: '0.01',
    quantity_increment: '1',
    minimum_quantity: '1',
    settlement_asset_id: 'asset_usd',
    shorting_permitted: true,
  },
  fees: { schedule_id: 'fees_x', taker_rate: '0' },
}

test('a market file names it, and it is kept with the listing; no other text is one', () => {
  const parsed = parseMarket(JSON.stringify({ market: { ...MARKET, dispute_window: 'PT48H' } }), 'x.yaml')
  expect(addMarketCommand(parsed, []).listing?.dispute_window).toBe('PT48H')
  const without = parseMarket(JSON.stringify({ market: MARKET }), 'x.yaml')
  expect(addMarketCommand(without, []).listing).not.toHaveProperty('dispute_window')
  const wrong = JSON.stringify({ market: { ...MARKET, dispute_window: 'two days' } })
  expect(refusal('VALIDATION_DURATION_INVALID', () => parseMarket(wrong, 'x.yaml')).message).toContain(
    'market.dispute_window',
  )
})
