import { expect, test } from 'vitest'
import type { AdjustFill } from '../../trading/engine/submission.ts'
import { pick, seededRandom } from '../support/random.ts'
import { sized } from '../support/sized.ts'
import { bustCommand } from '../support/trading/bust-command.ts'
import { concluding, submitting } from '../support/trading/settling.ts'
import { SubmissionMaker } from '../support/trading/submissions.ts'
import { checkEngine } from './support/check-invariants.ts'
import { MemoryEngine } from './support/memory-engine.ts'

const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c']
const HISTORIES = Number(process.env.TIDEMARK_RUNS ?? sized(6, 12))

type Deltas = Pick<AdjustFill, 'quantity_delta' | 'notional_delta' | 'fee_delta'>

function drawnDeltas(random: () => number): Deltas {
  const none = { quantity_delta: null, notional_delta: null, fee_delta: null }
  const sign = random() < 0.5 ? '-' : ''
  const quantity_delta = `-${1 + Math.floor(random() * 3)}`
  return pick(
    [
      { ...none, quantity_delta },
      { ...none, notional_delta: `${sign}0.5` },
      { ...none, fee_delta: `${sign}0.01` },
      { ...none, quantity_delta, notional_delta: `-${(0.3 + random()).toFixed(2)}` },
    ],
    random,
  )
}

test('amends of fills, pending or confirmed, keep every promise of a complementary market', () => {
  let amended = 0
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const random = seededRandom(seed)
    const engine = new MemoryEngine()
    const maker = new SubmissionMaker()
    engine.submit(...maker.setUp(ACCOUNTS, pick(['20', '1000'], random), { complementary: true }))
    const place = () =>
      maker.place(pick(ACCOUNTS, random), {
        side: pick(['BUY', 'SELL'] as const, random),
        outcome_id: pick(['out_yes', 'out_no'], random),
        limit_price: (0.45 + Math.floor(random() * 10) / 100).toFixed(2),
        quantity: (1 + Math.floor(random() * 9)).toString(),
        self_trade_prevention: 'cancel_maker',
        reduce_only: random() < 0.2,
      })
    const settle = () => {
      const open = engine.rows('settlement').filter(({ state }) => state === 'pending')
      const settlement_ids = open.slice(0, 1).map(({ settlement_id }) => settlement_id)
      engine.submit(maker.operate(submitting(settlement_ids)), maker.operate(concluding(settlement_ids)))
    }
    const amend = (n: number) => {
      const fills = engine.rows('fill')
      if (fills.length === 0) return
      const adjusted = { ...bustCommand(pick(fills, random).fill_id), adjustment_id: `adj_${n}` }
      const answer = engine.ask(maker.operate({ ...adjusted, adjustment_type: 'amend', ...drawnDeltas(random) }))
      if (answer.error === null) amended += 1
    }
    for (let n = 0; n < 50; n += 1) {
      if (random() < 0.7) engine.submit(place())
      else if (random() < 0.4) settle()
      else amend(n)
      checkEngine(engine)
    }
  }
  expect(amended).toBeGreaterThan(HISTORIES * 2)
}, 120_000)
