import { applySubmission } from '../../../trading/engine/apply-submission.ts'
import { noChanges } from '../../../trading/engine/changes.ts'
import type { BookEvent, OrderEvent, TradeCorrectionEvent } from '../../../trading/engine/events.ts'
import { noFacts, type TradeFacts } from '../../../trading/engine/facts.ts'
import { finishBatch } from '../../../trading/engine/finish-batch.ts'
import { emptyState } from '../../../trading/engine/state.ts'
import type { Answer, Submission } from '../../../trading/engine/submission.ts'
import type { LedgerEntry } from '../../../trading/ledger/entries.ts'
import type { AccountPolicy } from '../../../trading/order/account-policy.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { changedRows } from '../../../trading/projections/changed-rows.ts'
import type { FillRow, OrderRow, PayoutRow, SettlementRow } from '../../../trading/projections/rows.ts'
import { pick, seededRandom } from '../../support/random.ts'
import { bustCommand } from '../../support/trading/bust-command.ts'
import { POLICY, SubmissionMaker } from '../../support/trading/submissions.ts'
import { ledgerViolations, stateViolations } from './invariants.ts'
import { PlainCore } from './plain-core.ts'
import type { SecondCore } from './second-core.ts'
import { SimulatedEnd } from './simulated-end.ts'
import { type MakerPorts, SimulatedMakers } from './simulated-makers.ts'
import { type Compared, compareLadder, comparePlain, splitsOf } from './simulated-markets.ts'
import { drain } from './simulated-money.ts'
import { aimedAtHolding, drawTerms, stepAhead, sweep } from './simulated-orders.ts'
import { compareRecords } from './simulated-records.ts'
import { codeOf, SimulatedSettlements, type SimulationPorts } from './simulated-settlements.ts'
import { SlowLadder } from './slow-ladder.ts'
import { rateOf } from './slow-records.ts'

const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c'] as const
const SECOND = 1_000_000
/** Answers are compared after every step; all that they led to, every so many steps. */
const COMPARED_EVERY = 6
/** Most working orders of an account. */
const OPEN_ORDERS = [null, null, 4, 2]
const START = 1_700_000_000 * SECOND

/** Kind of a market: whether its outcomes share a ladder. */
export type SimulatedKind = 'two books' | 'one ladder'

export type SimulatedHistory = {
  readonly orders: number
  readonly fills: number
  /** Payments of resolutions and of their corrections; `reversed` and `failed` count the settlement moves of a rail. */
  readonly payments: number
  readonly reversed: number
  readonly failed: number
  /** Histories of the market's end in which the house laid something out. */
  readonly outlays: number
  /** Orders that were refused because the account had as many as it may have. */
  readonly limited: number
  /** Matches of a complementary market that destroyed, passed on or made sets, and orders that were trimmed. */
  readonly merged: number
  readonly passed: number
  readonly minted: number
  readonly trimmed: number
  /** Protections that a fill triggered. */
  readonly triggered: number
  /** The first difference between the cores, or promise that was broken; null: none. */
  readonly difference: string | null
}

/**
 * One random history through submissions of the real core and through the slow one: placements, batches, amends, cancels, pauses,
 * settlement attempts that succeed, fail and are taken back, busts; then the market's end with disputes, payouts in portions, corrections
 * and money that is gone by then. Both must refuse the same, and have the same orders, fills, fees and balances; and the promises must
 * hold. The same seed gives the same history. Outcomes have books of their own, or share the ladder of a complementary market.
 */
export function simulateHistory(seed: number, orders: number, kind: SimulatedKind = 'two books'): SimulatedHistory {
  const simulation = new Simulation(seed, kind)
  while (simulation.placed < orders && simulation.difference === null) simulation.next()
  simulation.finish()
  const { placed, difference, slow } = simulation
  const moves = (state: string) => simulation.moves.filter((move) => move === state).length
  const [payments, outlays] = [slow.payments.length, slow.lent > 0n ? 1 : 0]
  const counts = {
    payments,
    outlays,
    reversed: moves('reversed'),
    failed: moves('failed'),
    limited: simulation.limited,
    triggered: slow.triggered,
  }
  return { orders: placed, fills: slow.fills.length, ...counts, ...splitsOf(slow), difference }
}

type SidedTrade = TradeFacts & { readonly sides: TradeFacts['sides'][number][] }

class Simulation {
  placed = 0
  difference: string | null = null
  limited = 0
  /** States that settlements of the core have moved to. */
  readonly moves: string[] = []
  readonly slow: SecondCore
  readonly #random: () => number
  readonly #maker = new SubmissionMaker()
  readonly #state = emptyState()
  readonly #facts = noFacts()
  readonly #entries: LedgerEntry[] = []
  readonly #fills: FillRow[] = []
  readonly #corrected: TradeCorrectionEvent[] = []
  readonly #orders = new Map<string, OrderRow>()
  readonly #told = new Map<string, OrderEvent>()
  readonly #payouts: PayoutRow[] = []
  /** Settlements of the pool, in their order. */
  readonly #sets: string[] = []
  readonly #levels = new Map<string, BookEvent>()
  readonly #compareMarket: () => void
  readonly #settlements: SimulatedSettlements
  readonly #makers: SimulatedMakers
  readonly #made: MakerPorts
  readonly #outcomes: readonly string[]
  #now = START
  #policy_version = 2
  #steps = 0

  constructor(seed: number, kind: SimulatedKind) {
    this.#random = seededRandom(seed)
    this.#outcomes = kind === 'one ladder' ? ['out_yes', 'out_no'] : ['out_yes', 'out_yes', 'out_yes', 'out_no']
    const complementary = kind === 'one ladder'
    const shorting = !complementary || this.#random() < 0.75
    const crossing = pick(['cap', 'reject'] as const, this.#random)
    const limit = pick([null, '60'], this.#random)
    const open_orders = pick(OPEN_ORDERS, this.#random)
    const taker_rate = pick(['0.02', '0.0175', '0'], this.#random)
    const maker_rate = pick(['0', '0.0033'], this.#random)
    const deposit = pick(complementary ? ['10', '40', '1000', '1000'] : ['2', '40', '1000', '1000'], this.#random)
    const [taker, maker] = [rateOf(taker_rate), rateOf(maker_rate)]
    const limits = { crossing, limit: limit === null ? null : BigInt(limit) * 100n, open_orders }
    const slow_rules = { taker_rate: taker, maker_rate: maker, shorting, ...limits }
    if (complementary) {
      const slow = new SlowLadder(slow_rules)
      this.slow = slow
      this.#compareMarket = () => compareLadder(this.#compared(), slow)
    } else {
      const slow = new PlainCore(slow_rules)
      this.slow = slow
      this.#compareMarket = () => comparePlain(this.#compared(), slow)
    }
    this.#settlements = new SimulatedSettlements(this.#ports())
    this.#made = this.#makerPorts()
    this.#makers = new SimulatedMakers(this.#made)
    this.#submit(...this.#maker.setUp(ACCOUNTS, deposit, { shorting_permitted: shorting, complementary }))
    const rules = { reduce_only_crossing: crossing, position_limit: limit, ...this.#limited(open_orders) }
    const policy = { ...POLICY, policy_version: 2, ...rules }
    this.#submit(
      this.#maker.operate({ kind: 'set_fees', schedule_id: 'fee_1', taker_rate, maker_rate, market_ids: ['mkt_1'] }),
      ...ACCOUNTS.map((account_id) => this.#maker.operate({ kind: 'set_policy', account_id, policy })),
    )
    for (const account_id of ACCOUNTS) this.slow.deposits.set(account_id, BigInt(deposit) * 1_000_000n)
  }

  #makerPorts(): MakerPorts {
    const { slow } = this
    return {
      ...{ random: this.#random, slow, state: this.#state, maker: this.#maker, accounts: ACCOUNTS },
      now: () => this.#now,
      terms: (account_id) => this.#aimed(account_id, this.#terms()),
      submit: (submission) => this.#submit(submission),
      same: (what, real, other) => this.#same(what, real, other),
    }
  }

  #ports(): SimulationPorts {
    return {
      random: this.#random,
      slow: this.slow,
      facts: this.#facts,
      payouts: this.#payouts,
      now: () => this.#now,
      fill: (place) => this.#fills[place]!,
      set: (place) => this.#sets[place]!,
      operate: (...commands) => this.#submit(...commands.map((command) => this.#maker.operate(command))),
      same: (what, real, slow) => this.#same(what, real, slow),
    }
  }

  #compared(): Compared {
    const same = (what: string, real: unknown, slow: unknown) => this.#same(what, real, slow)
    const [fills, orders, told, corrected, levels] = [
      this.#fills,
      this.#orders,
      this.#told,
      this.#corrected,
      this.#levels,
    ]
    return { state: this.#state, accounts: ACCOUNTS, fills, orders, told, corrected, levels, same }
  }

  next(): void {
    const chance = this.#random()
    if (this.slow instanceof SlowLadder && this.slow.status === 'paused' && this.#random() < 0.3) this.#move('open')
    else if (chance < 0.42) this.#place()
    else if (chance < 0.46) this.placed += this.#makers.quote()
    else if (chance < 0.5) this.#makers.protect()
    else if (chance < 0.6) this.#batch()
    else if (chance < 0.7) this.#amend()
    else if (chance < 0.715 && this.slow instanceof SlowLadder) drain(this.#made)
    else if (chance < 0.78) this.#cancel()
    else if (chance < 0.9) this.#settle()
    else if (chance < 0.93) this.#bust()
    else if (chance < 0.94) this.#cancelAll()
    else if (chance < 0.95) this.#changeRules()
    else this.#move(this.slow.status === 'open' && chance < 0.97 ? 'paused' : 'open')
    this.#steps += 1
    if (this.#steps % COMPARED_EVERY === 0) this.#compare()
  }

  /** The market's end, the whole once more, and the folds of its ledger. */
  finish(): void {
    this.#compare()
    const end = new SimulatedEnd(this.#ports(), ACCOUNTS)
    while (this.difference === null && end.next()) this.#compare()
    this.#compare()
    this.difference ??= ledgerViolations(this.#state, this.#entries)[0] ?? null
  }

  #place(): void {
    const [random, { slow }] = [this.#random, this]
    const account_id = pick(ACCOUNTS, random)
    if (slow instanceof SlowLadder && random() < 0.1) {
      const holder = pick(ACCOUNTS, random)
      for (const terms of random() < 0.5 ? stepAhead(slow, random, holder) : []) this.#placeOne(holder, terms)
      for (const terms of sweep(slow, random, account_id)) this.#placeOne(account_id, terms)
    } else this.#placeOne(account_id, this.#aimed(account_id, this.#terms()))
  }

  #placeOne(account_id: string, terms: Partial<OrderIntent>): void {
    const placing = this.#maker.place(account_id, terms)
    const [answer] = this.#submit(placing)
    this.placed += 1
    this.#same('place', codeOf(answer!), this.slow.place(placing.order.intent, this.#now))
  }

  #batch(): void {
    const terms = Array.from({ length: 1 + Math.floor(this.#random() * 4) }, () => this.#terms())
    const account_id = pick(ACCOUNTS, this.#random)
    const aimed = terms.map((one) => this.#aimed(account_id, one))
    const batch = this.#maker.placeBatch(account_id, aimed)
    const [answer] = this.#submit(batch)
    const items = JSON.parse(answer!.data!) as { error: { code: string } | null }[]
    for (const [n, { intent }] of batch.orders.entries()) {
      this.placed += 1
      this.#same(`item ${n}`, items[n]!.error?.code ?? null, this.slow.place(intent, this.#now))
    }
  }

  #amend(): void {
    const old = this.#anyOrder()
    if (old === undefined) return
    const { account_id, order_id, outcome_id, side } = old.intent
    const { version } = this.#orders.get(order_id)!
    const amend = this.#maker.amend(account_id, order_id, version, { ...this.#terms(), outcome_id, side })
    const [answer] = this.#submit(amend)
    this.placed += 1
    this.#same('amend', codeOf(answer!), this.slow.amend(order_id, amend.order.intent, this.#now))
  }

  #cancel(): void {
    const order = this.#anyOrder()
    if (order === undefined) return
    const { account_id, order_id } = order.intent
    const [answer] = this.#submit(this.#maker.cancel(account_id, order_id))
    this.#same('cancel', codeOf(answer!), this.slow.cancel(account_id, order_id, this.#now))
  }

  #cancelAll(): void {
    const account_id = pick(ACCOUNTS, this.#random)
    this.#submit(this.#maker.cancelAll(account_id))
    this.slow.cancelAll(account_id, this.#now)
  }

  #settle(): void {
    const set = this.slow.sets.length - 1 - Math.floor(this.#random() * 10)
    if (this.slow.sets.length > 0 && this.#random() < 0.15) this.#settlements.stepSet(set)
    else this.#settlements.step(this.#anyFill())
  }

  #bust(): void {
    const place = this.#anyFill()
    const fill = this.slow.fills[place]
    if (fill === undefined || fill.busted) return
    const refused = fill.state === 'submitted'
    const [answer] = this.#submit(this.#maker.operate(bustCommand(this.#fills[place]!.fill_id)))
    this.#same('bust', codeOf(answer!), refused ? 'VALIDATION_USAGE_INVALID' : null)
    if (refused) this.slow.expire(this.#now)
    else this.slow.bust(fill, this.#now)
  }

  /** Fees and policies change while orders rest. */
  #changeRules(): void {
    const [random, { rules }] = [this.#random, this.slow]
    const taker_rate = pick(['0.3', '0.02', '0'], random)
    this.#submit(
      this.#maker.operate({
        kind: 'set_fees',
        schedule_id: 'fee_1',
        taker_rate,
        maker_rate: '0.0033',
        market_ids: ['mkt_1'],
      }),
    )
    rules.taker_rate = rateOf(taker_rate)
    rules.maker_rate = rateOf('0.0033')
    this.slow.expire(this.#now)
    if (random() < 0.5) return
    const [crossing, limit] = [pick(['cap', 'reject'] as const, random), pick([null, '60'], random)]
    const open_orders = pick(OPEN_ORDERS, random)
    this.#policy_version += 1
    const policy_version = this.#policy_version
    const limits = { position_limit: limit, ...this.#limited(open_orders) }
    const policy = { ...POLICY, policy_version, reduce_only_crossing: crossing, ...limits }
    this.#submit(...ACCOUNTS.map((account_id) => this.#maker.operate({ kind: 'set_policy', account_id, policy })))
    rules.crossing = crossing
    rules.limit = limit === null ? null : BigInt(limit) * 100n
    rules.open_orders = open_orders
    this.slow.expire(this.#now)
  }

  /** The same limit, of the account or of its only market. */
  #limited(open_orders: number | null): Pick<AccountPolicy, 'max_open_orders' | 'max_open_orders_per_market'> {
    return pick([{ max_open_orders: open_orders }, { max_open_orders_per_market: open_orders }], this.#random)
  }

  #move(to: 'open' | 'paused'): void {
    if (to === this.slow.status) return
    this.#submit(this.#maker.operate({ kind: 'move_market', market_id: 'mkt_1', to }))
    this.slow.move(to, this.#now)
  }

  #terms() {
    return drawTerms(this.#random, this.#outcomes, this.#now)
  }

  #aimed(account_id: string, terms: Partial<OrderIntent>): Partial<OrderIntent> {
    return this.slow instanceof SlowLadder ? aimedAtHolding(this.slow, this.#random, account_id, terms) : terms
  }

  #anyOrder() {
    return this.slow.orders.at(-1 - Math.floor(this.#random() * 20))
  }

  #anyFill(): number {
    return this.slow.fills.length - 1 - Math.floor(this.#random() * 20)
  }

  /** One batch, a second after the last. */
  #submit(...submissions: readonly Submission[]): Answer[] {
    this.#now += SECOND
    const changes = noChanges()
    const answers = submissions.map((one) => applySubmission(this.#state, one, this.#facts, this.#now, changes))
    finishBatch(this.#state, this.#now, changes)
    const rows = changedRows(this.#state, changes)
    for (const entry of changes.entries) this.#entries.push(entry)
    for (const event of changes.events) if (event.kind === 'order') this.#told.set(event.order_id, event)
    for (const row of rows.orders) {
      this.#orders.set(row.order_id, row)
      this.#facts.orders.set(row.order_id, row)
    }
    for (const row of rows.trade)
      this.#facts.trades.set(row.trade_id, { ...row, sides: [], stated: null } as SidedTrade)
    for (const event of changes.events) if (event.kind === 'trade_correction') this.#corrected.push(event)
    for (const row of rows.fill) {
      const { fill_id, outcome_id, quantity, notional } = row
      ;(this.#facts.trades.get(row.trade_id) as SidedTrade).sides.push({ fill_id, outcome_id, quantity, notional })
      this.#fills.push(row)
      this.#facts.fills.set(row.fill_id, row)
    }
    for (const event of changes.events)
      if (event.kind === 'book') this.#levels.set(`${event.outcome_id} ${event.side} ${event.price}`, event)
    for (const row of rows.settlement) this.#keepSettlement(row)
    this.#payouts.push(...rows.resolution_payout)
    this.moves.push(...rows.settlement_transition.map(({ state }) => state))
    return answers
  }

  #keepSettlement(row: SettlementRow): void {
    const { settlement_id, kind } = row
    const is_new = !this.#facts.settlements.has(settlement_id)
    if (is_new && (kind === 'set_mint' || kind === 'set_merge')) this.#sets.push(settlement_id)
    this.#facts.settlements.set(settlement_id, row)
  }

  #compare(): void {
    const [broken] = stateViolations(this.#state)
    if (broken !== undefined) this.difference ??= broken
    compareRecords(this.#compared(), this.slow)
    this.#makers.compare()
    this.#compareMarket()
  }

  #same(what: string, real: unknown, slow: unknown): void {
    if (slow === 'RISK_OPEN_ORDER_LIMIT') this.limited += 1
    if (real !== slow) this.difference ??= `${what}: ${real} in the core, ${slow} in the slow one`
  }
}
