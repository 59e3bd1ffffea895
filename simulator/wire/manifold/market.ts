import type { Micros } from '../../../primitives/instants.ts'
import { PRICE_ONE } from '../../world/grid.ts'
import type { PoolMarket } from '../../world/market-state.ts'
import { plainScaled, plainSize } from '../decimal-text.ts'
import { type JsonNumber, jsonNumber, type WireValue } from '../wire-json.ts'
import { type Contract, isBinary } from './contracts.ts'

type Fields = Readonly<Record<string, WireValue | undefined>>

function probabilityNumber({ probability }: PoolMarket): JsonNumber {
  return jsonNumber(plainScaled(probability, 15))
}

/** Returns epoch milliseconds. */
export function millis(at: Micros): number {
  return Math.floor(at / 1000)
}

/** Returns a market as in lists, without its answers. Volumes are mana. */
export function liteMarket(contract: Contract): Fields {
  const { id, event, answers } = contract
  const [first] = answers
  const { plan } = first!.market
  const resolution = contractResolution(contract)
  const last_bets = answers.map(({ market }) => market.last_bet_at ?? 0)
  const last_bet = Math.max(...last_bets)
  const slug = event.title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return {
    id,
    creatorUsername: 'Simulated',
    creatorName: 'Simulated',
    createdTime: millis(plan.opens_at),
    closeTime: millis(plan.scheduled_close_at),
    question: event.title,
    slug: `${slug}-${id}`,
    url: `https://manifold.markets/Simulated/${slug}-${id}`,
    token: 'MANA',
    outcomeType: isBinary(contract) ? 'BINARY' : 'MULTIPLE_CHOICE',
    mechanism: isBinary(contract) ? 'cpmm-1' : 'cpmm-multi-1',
    ...(isBinary(contract) ? binaryFields(first!.market, resolution) : {}),
    volume: jsonNumber(plainSize(answers.reduce((sum, { market }) => sum + market.volume, 0))),
    volume24Hours: 0,
    ...resolutionFields(resolution),
    lastBetTime: last_bet === 0 ? undefined : millis(last_bet),
    uniqueBettorCount: 12,
  }
}

/** Returns a market with its answers. */
export function fullMarket(contract: Contract): Fields {
  const lite = { ...liteMarket(contract), textDescription: `Resolves as it happens. ${contract.event.title}` }
  if (isBinary(contract)) return lite
  return {
    ...lite,
    shouldAnswersSumToOne: contract.event.kind === 'multi',
    answers: contract.answers.map((answer, index) => answerFields(contract, answer, index)),
  }
}

/** Returns the state of `GET /v0/market-probs` and of `GET /v0/market/{id}/prob`. */
export function probState(contract: Contract): WireValue {
  if (isBinary(contract)) return { prob: probabilityNumber(contract.answers[0]!.market) }
  return {
    answerProbs: Object.fromEntries(contract.answers.map(({ id, market }) => [id, probabilityNumber(market)])),
  }
}

function binaryFields(market: PoolMarket, resolution: ContractResolution | null): Fields {
  const probability = probabilityNumber(market)
  return {
    probability,
    p: jsonNumber('0.5'),
    totalLiquidity: 1000,
    pool: { YES: 1000, NO: 1000 },
    resolutionProbability: resolution === null ? undefined : probability,
  }
}

function answerFields({ id, event }: Contract, answer: Contract['answers'][number], index: number): Fields {
  const { market } = answer
  const payout = event.kind === 'nested' ? resolvedPayout(market, event.schedule.disputed_at !== null) : null
  return {
    id: answer.id,
    contractId: id,
    index,
    text: market.plan.label,
    createdTime: millis(market.plan.opens_at),
    probability: probabilityNumber(market),
    resolution: payout === null ? undefined : payout === PRICE_ONE ? 'YES' : payout === 0 ? 'NO' : 'CANCEL',
    resolutionTime: payout === null ? undefined : millis(market.stage_at),
  }
}

function resolutionFields(resolution: ContractResolution | null): Fields {
  if (resolution === null) return { isResolved: false }
  return { isResolved: true, resolution: resolution.resolution, resolutionTime: millis(resolution.at) }
}

/** Returns a market's current payout of YES; null = not resolved, or open again. */
function resolvedPayout({ stage, proposed_payout, final_payout }: PoolMarket, disputed: boolean): number | null {
  if (stage === 'final') return final_payout
  // An undisputed resolution is made once, at the end.
  return stage === 'proposed' && disputed ? proposed_payout : null
}

type ContractResolution = { readonly resolution: string; readonly at: Micros }

/** Returns a contract's resolution: YES, NO, the winning answer, MKT if each answer has its own, CANCEL for a void. */
function contractResolution(contract: Contract): ContractResolution | null {
  const disputed = contract.event.schedule.disputed_at !== null
  const payouts = contract.answers.map(({ market }) => resolvedPayout(market, disputed))
  if (payouts.includes(null)) return null
  const at = Math.max(...contract.answers.map(({ market }) => market.stage_at))
  if (payouts.every((payout) => payout === PRICE_ONE / 2)) return { resolution: 'CANCEL', at }
  if (isBinary(contract)) return { resolution: payouts[0] === PRICE_ONE ? 'YES' : 'NO', at }
  if (contract.event.kind === 'nested') return { resolution: 'MKT', at }
  return { resolution: contract.answers[payouts.indexOf(PRICE_ONE)]!.id, at }
}
