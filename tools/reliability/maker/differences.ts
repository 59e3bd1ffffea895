import type { TradingClient } from '../../../client/trading/trading-client.ts'
import { fromScaled, toScaled } from '../../../primitives/scaled.ts'

/** Scale at which all amounts and quantities are compared. */
const SCALE = 12
const ONE = 10n ** BigInt(SCALE)

type Sums = Map<string, bigint>

/**
 * Compares an account's statement and fills, summed from nothing, with its balances and positions.
 * @param initial its balance before its first fill
 * @returns what differs, as sentences
 */
export async function differencesOf(client: TradingClient, initial: string): Promise<readonly string[]> {
  const stated: Sums = new Map()
  let entries = 0
  for await (const { asset_id, bucket, amount } of client.statement()) {
    entries += 1
    add(stated, `${asset_id} ${bucket}`, amount)
  }
  const { cash, held } = await tradedSums(client)
  const found: string[] = entries === 0 ? ['the statement is empty'] : []
  const compare = (what: string, left: bigint, right: bigint) => {
    if (left !== right) found.push(`${what}: ${fromScaled(left, SCALE)} and ${fromScaled(right, SCALE)}`)
  }
  for await (const balance of client.balances()) {
    for (const bucket of ['available', 'reserved', 'pending_settlement_credit', 'pending_settlement_debit'] as const)
      compare(`statement and ${bucket}`, stated.get(`${balance.asset_id} ${bucket}`) ?? 0n, scaled(balance[bucket]))
    compare('fills and total', scaled(initial) + cash, scaled(balance.total))
  }
  for await (const { outcome_id, net_quantity } of client.positions()) {
    const [settled, unsettled] = ['settled_quantity', 'unsettled_quantity'].map(
      (bucket) => stated.get(`${outcome_id} ${bucket}`) ?? 0n,
    )
    compare(`statement and position in ${outcome_id}`, settled! + unsettled!, scaled(net_quantity))
    compare(`fills and position in ${outcome_id}`, held.get(outcome_id) ?? 0n, scaled(net_quantity))
    held.delete(outcome_id)
  }
  for (const [outcome_id, quantity] of held) compare(`fills, without a position, in ${outcome_id}`, quantity, 0n)
  return found
}

/**
 * Sums the fills of complementary markets: the cash that they moved, and the holding of each outcome. Buying one outcome first closes
 * the other one, at 1 - price, then opens; selling closes it, then opens the other one.
 */
async function tradedSums(client: TradingClient): Promise<{ readonly cash: bigint; readonly held: Sums }> {
  const exposures: Sums = new Map()
  let cash = 0n
  for await (const { outcome_id, side, price, quantity, closed_quantity, fee } of client.fills()) {
    const [traded, closed] = [scaled(quantity), scaled(closed_quantity ?? '0')]
    const [opening, closing] =
      side === 'BUY' ? [scaled(price), ONE - scaled(price)] : [ONE - scaled(price), scaled(price)]
    cash += (closed * closing - (traded - closed) * opening) / ONE - scaled(fee.amount)
    const first = outcome_id.replace(/_no$/, '_yes')
    const raises = (side === 'BUY') === (first === outcome_id)
    exposures.set(first, (exposures.get(first) ?? 0n) + (raises ? traded : -traded))
  }
  const held: Sums = new Map()
  for (const [first, exposure] of exposures) {
    if (exposure !== 0n)
      held.set(exposure > 0n ? first : first.replace(/_yes$/, '_no'), exposure > 0n ? exposure : -exposure)
  }
  return { cash, held }
}

function add(sums: Sums, key: string, amount: string): void {
  sums.set(key, (sums.get(key) ?? 0n) + scaled(amount))
}

function scaled(text: string): bigint {
  return toScaled(text, SCALE)
}
