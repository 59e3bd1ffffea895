import type { Bet } from '../../world/market-state.ts'
import { QUADRILLION } from '../../world/pool-world.ts'
import { plainScaled, plainSize } from '../decimal-text.ts'
import { jsonNumber, type WireValue } from '../wire-json.ts'
import { type Contract, isBinary, shortId } from './contracts.ts'
import { millis } from './market.ts'

const SHARES_SCALE = 12

/** Returns a bet. A waiting limit order is the same bet again with more fills at each read. */
export function manifoldBet(bet: Bet, contract: Contract, seed: string): WireValue {
  const answer = contract.answers.find(({ market }) => market.plan.ordinal === bet.market)!
  const is_limit = bet.limit !== null
  const betId = (number: number) => shortId(seed, 'bet', bet.market, number)
  return {
    id: betId(bet.number),
    contractId: contract.id,
    answerId: isBinary(contract) ? undefined : answer.id,
    userId: `user-${bet.number % 41}`,
    outcome: bet.outcome,
    orderAmount: jsonNumber(plainSize(bet.ordered)),
    amount: jsonNumber(plainSize(bet.amount)),
    shares: jsonNumber(sharesText(bet, bet.amount)),
    limitProb: is_limit ? jsonNumber(plainSize(bet.limit)) : undefined,
    probBefore: jsonNumber(plainScaled(bet.before, 15)),
    probAfter: jsonNumber(plainScaled(bet.after, 15)),
    isFilled: bet.amount === bet.ordered,
    isCancelled: false,
    isRedemption: false,
    loanAmount: 0,
    fees: { creatorFee: 0, liquidityFee: 0, platformFee: 0 },
    fills: bet.fills.map(({ at, amount, by }) => ({
      timestamp: millis(at),
      matchedBetId: by === null ? null : betId(by),
      amount: jsonNumber(plainSize(amount)),
      shares: jsonNumber(sharesText(bet, amount)),
    })),
    createdTime: millis(bet.at),
  }
}

/** Returns the shares bought for an amount of mana at the bet's mean price, or at its limit. */
function sharesText({ outcome, before, after, limit }: Bet, amount: number): string {
  const yes = limit === null ? Math.floor((before + after) / 2) : limit * (QUADRILLION / 100)
  const price = BigInt(outcome === 'YES' ? yes : QUADRILLION - yes)
  const scaled = (BigInt(amount) * 10n ** BigInt(SHARES_SCALE - 2) * BigInt(QUADRILLION)) / price
  return plainScaled(scaled, SHARES_SCALE)
}
