import fc from 'fast-check'

/** Terms of an order; the run adds account, market, ids and signature. Decimals as written. */
export type Terms = {
  readonly side: 'BUY' | 'SELL'
  readonly outcome: 'yes' | 'no'
  readonly limit_price: string
  readonly quantity: string
  readonly time_in_force: 'GTC' | 'GTD' | 'FOK' | 'FAK'
  readonly post_only: boolean
  readonly reduce_only: boolean
  readonly cancel_on_pause: boolean
  readonly self_trade_prevention: 'cancel_taker' | 'cancel_maker' | 'cancel_both'
}

/**
 * One thing that somebody does. Accounts, orders, fills and looks are named by how long ago they were, so that a history with some of
 * its commands left out is a history still; what names nothing does nothing. `again`: the request is sent twice under one key.
 */
export type ModelCommand =
  | { readonly kind: 'place'; readonly account: number; readonly terms: Terms; readonly again: boolean }
  | { readonly kind: 'preview'; readonly account: number; readonly terms: Terms }
  | { readonly kind: 'batch'; readonly account: number; readonly orders: readonly Terms[]; readonly again: boolean }
  | { readonly kind: 'amend'; readonly order: number; readonly terms: Terms; readonly stale: boolean }
  | { readonly kind: 'cancel'; readonly order: number; readonly by: 'owner' | 'other'; readonly again: boolean }
  | { readonly kind: 'cancel_all'; readonly account: number; readonly scope: 'all' | 'market' | 'cancel_on_pause' }
  | { readonly kind: 'pause' | 'open' }
  | { readonly kind: 'settle'; readonly fill: number; readonly act: 'submit' | 'confirm' | 'fail' | 'reverse' }
  | { readonly kind: 'bust'; readonly fill: number }
  | { readonly kind: 'deposit' | 'withdraw'; readonly account: number; readonly amount: string }
  | { readonly kind: 'list_orders'; readonly account: number; readonly filter: ListFilter; readonly limit: number }
  | { readonly kind: 'list_fills'; readonly account: number; readonly limit: number }
  | { readonly kind: 'look'; readonly account: number }
  | { readonly kind: 'look_back'; readonly look: number }

export type CommandOf<K extends ModelCommand['kind']> = Extract<ModelCommand, { readonly kind: K }>

export type ListFilter = Partial<{
  readonly status: 'open' | 'partially_filled' | 'filled' | 'canceled' | 'suspended' | 'rejected'
  readonly side: 'BUY' | 'SELL'
  readonly outcome: 'yes' | 'no'
}>

/** The rules of one run, which its model and its market share. */
export type RunRules = {
  readonly taker_rate: string
  readonly maker_rate: string
  readonly crossing: 'cap' | 'reject'
  readonly limit: string | null
  /** Most open orders of an account; null: those of its tier. */
  readonly open_orders: number | null
  readonly shorting: boolean
  readonly deposit: string
}

export const MODEL_ACCOUNTS = 3
const BACK_MAX = 19

const often = (chance_percent: number) => fc.integer({ min: 1, max: 100 }).map((place) => place <= chance_percent)
const cents = (hundredths: number) => `${Math.trunc(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
const account = fc.nat({ max: MODEL_ACCOUNTS - 1 })
const back = fc.nat({ max: BACK_MAX })
const again = often(15)

/** Prices near each other, so that most orders meet one. */
const terms: fc.Arbitrary<Terms> = fc
  .record({
    side: fc.constantFrom('BUY', 'SELL'),
    outcome: fc.constantFrom('yes', 'yes', 'yes', 'no'),
    limit_price: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 48, max: 52 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 99 }) },
    ),
    quantity: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 40 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 5_000 }) },
    ),
    time_in_force: fc.constantFrom('GTC', 'GTC', 'GTC', 'GTC', 'GTD', 'FOK', 'FAK'),
    post_only: often(20),
    reduce_only: often(20),
    cancel_on_pause: fc.boolean(),
    self_trade_prevention: fc.constantFrom('cancel_taker', 'cancel_maker', 'cancel_both'),
  } as const)
  .map(({ limit_price, quantity, post_only, ...rest }) => ({
    ...rest,
    limit_price: cents(limit_price),
    quantity: cents(quantity),
    post_only: post_only && (rest.time_in_force === 'GTC' || rest.time_in_force === 'GTD'),
  }))

const filter: fc.Arbitrary<ListFilter> = fc.record(
  {
    status: fc.constantFrom('open', 'partially_filled', 'filled', 'canceled', 'suspended', 'rejected'),
    side: fc.constantFrom('BUY', 'SELL'),
    outcome: fc.constantFrom('yes', 'no'),
  } as const,
  { requiredKeys: [] },
)

const of = <K extends ModelCommand['kind']>(kind: K) => fc.constant(kind)
const limit = fc.integer({ min: 1, max: 7 })
const amount = fc.integer({ min: 1, max: 300 }).map(cents)

const WEIGHTED: readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<ModelCommand> }[] = [
  { weight: 42, arbitrary: fc.record({ kind: of('place'), account, terms, again }) },
  { weight: 8, arbitrary: fc.record({ kind: of('preview'), account, terms }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: of('batch'),
      account,
      orders: fc.array(terms, { minLength: 1, maxLength: 4, size: 'max' }),
      again,
    }),
  },
  { weight: 9, arbitrary: fc.record({ kind: of('amend'), order: back, terms, stale: often(15) }) },
  {
    weight: 8,
    arbitrary: fc.record({ kind: of('cancel'), order: back, by: fc.constantFrom('owner', 'owner', 'other'), again }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: of('cancel_all'),
      account,
      scope: fc.constantFrom('all', 'market', 'cancel_on_pause'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: of('pause') }) },
  { weight: 4, arbitrary: fc.record({ kind: of('open') }) },
  {
    weight: 14,
    arbitrary: fc.record({
      kind: of('settle'),
      fill: back,
      act: fc.constantFrom('submit', 'submit', 'confirm', 'confirm', 'fail', 'reverse'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: of('bust'), fill: back }) },
  { weight: 1, arbitrary: fc.record({ kind: of('deposit'), account, amount }) },
  { weight: 2, arbitrary: fc.record({ kind: of('withdraw'), account, amount }) },
  { weight: 5, arbitrary: fc.record({ kind: of('list_orders'), account, filter, limit }) },
  { weight: 2, arbitrary: fc.record({ kind: of('list_fills'), account, limit }) },
  { weight: 4, arbitrary: fc.record({ kind: of('look'), account }) },
  { weight: 4, arbitrary: fc.record({ kind: of('look_back'), look: back }) },
]

/** Performs commands. */
export type Performer = { do(command: ModelCommand): Promise<void> }
type Step = fc.AsyncCommand<object, Performer>
export type ModelSteps = Iterable<Step>

/** Histories of so many commands at most. @param replay of a counterexample: which of its commands were carried out; null: it is no such */
export function histories(commands_max: number, replay: string | null): fc.Arbitrary<ModelSteps> {
  // A history with fewer commands is told more easily than one with smaller numbers, which takes as long to find again.
  const step = fc.noShrink(fc.oneof(...WEIGHTED).map(stepOf))
  const replaying = replay === null ? {} : { replayPath: replay }
  return fc.commands([step], { maxCommands: commands_max, size: 'max', ...replaying })
}

/** Every command may come at any time: what names nothing does nothing. */
function stepOf(command: ModelCommand): Step {
  return {
    check: () => true,
    run: (_, performer) => performer.do(command),
    toString: () => command.kind,
  }
}

export const RULES: fc.Arbitrary<RunRules> = fc.record({
  taker_rate: fc.constantFrom('0.02', '0.0175', '0'),
  maker_rate: fc.constantFrom('0', '0.0033'),
  crossing: fc.constantFrom('cap', 'reject'),
  limit: fc.constantFrom(null, '60'),
  open_orders: fc.constantFrom(null, null, 3),
  shorting: fc.constantFrom(true, true, true, false),
  deposit: fc.constantFrom('1000', '1000', '40', '2'),
})
