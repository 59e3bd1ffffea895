import { createRequire } from 'node:module'
import type * as Secp256k1 from 'secp256k1'
import { ORDER_TYPE, type OrderToSign, orderMessage } from '../../protocol/order/order-terms.ts'
import { createRandom } from '../../simulator/world/random.ts'
import { createKeccak256, keccakOfText } from '../../trading/auth/keccak.ts'
import { createTypedHasher } from '../../trading/auth/typed-hasher.ts'
import { LOAD_ENVIRONMENT, type LoadWorld } from './load-world.ts'

/** A signed order, ready to send: its account and the bytes of its body. */
export type SignedLoad = { readonly account: number; readonly body: Buffer }

/** Markets per account; few, so that all positions exist after the first part of a run and memory stops growing. */
const MARKETS_OF_ACCOUNT = 4

/**
 * Signs orders with libsecp256k1 before the measurement. Prices cross around the middle and half of the orders do not rest, so
 * books stay as small as in an active market.
 */
export async function signOrders(world: LoadWorld, count: number, seed: string): Promise<readonly SignedLoad[]> {
  const sign = await createLoadSigner(world)
  const random = createRandom(seed, 'load')
  return Array.from({ length: count }, (_, n) => {
    const account = n % world.accounts.length
    return sign(account, orderOf(world, account, n, random))
  })
}

/** Signs orders of the accounts, named by their ordinals. */
export async function createLoadSigner(world: LoadWorld): Promise<(account: number, order: OrderToSign) => SignedLoad> {
  const keccak = await createKeccak256()
  const ofText = keccakOfText(keccak)
  const hasher = createTypedHasher<ReturnType<typeof orderMessage>>(ORDER_TYPE, LOAD_ENVIRONMENT, keccak)
  const { ecdsaSign } = createRequire(import.meta.url)('secp256k1/bindings.js') as typeof Secp256k1
  const keys = world.accounts.map(({ private_key }) => Buffer.from(private_key.slice(2), 'hex'))
  return (account, order) => {
    const { signature, recid } = ecdsaSign(hasher.digest(orderMessage(order, ofText)), keys[account]!)
    const order_signature = `0x${Buffer.from(signature).toString('hex')}${(recid + 27).toString(16)}`
    const body = { ...order, order_type: 'limit', signature_type: 'eoa', order_signature }
    return { account, body: Buffer.from(JSON.stringify(body)) }
  }
}

function orderOf(world: LoadWorld, account: number, n: number, random: ReturnType<typeof createRandom>): OrderToSign {
  const { account_id, signer } = world.accounts[account]!
  const { market_id, outcome_ids } = world.markets[(account + random.below(MARKETS_OF_ACCOUNT)) % world.markets.length]!
  const quantity = random.between(1, 20)
  const side = random.chance(500_000) ? 'BUY' : 'SELL'
  const price = 50 + (side === 'BUY' ? 1 : -1) * random.between(-1, 2)
  return {
    account_id,
    signer,
    market_id,
    outcome_id: outcome_ids[random.below(outcome_ids.length)]!,
    side,
    limit_price: `0.${price}`,
    quantity: `${quantity}.00`,
    time_in_force: random.chance(500_000) ? 'FAK' : 'GTC',
    expires_at: null,
    post_only: false,
    reduce_only: false,
    cancel_on_pause: true,
    self_trade_prevention: 'cancel_maker',
    client_order_id: `load-${n}`,
    order_nonce: String(n + 1),
    maximum_fee: '1.00',
    maximum_notional: '20.00',
    settlement_asset_id: 'asset_usd',
    signature_version: '1',
  }
}
