import { signOrder } from '../../../client/signing/sign-order.ts'
import type { WantedOrder } from '../../../protocol/order/order-terms.ts'
import { MARKET_ID, OUTCOME_ID, signerOf } from '../../../test/support/trading/served-accounts.ts'
import { highTwin } from '../../../test/support/trading/signing-world.ts'
import { readOf, writeOf } from '../wire-request.ts'
import type { Attack, Attacks } from './attack.ts'
import type { Target } from './capture.ts'

type Body = Readonly<Record<string, unknown>>
type Change = (body: Body, target: Target) => Body

/** The request is signed anew by who sends it; the order's own signature is over something else. */
const MOVED: Attacks = {
  order_market: mismatched(() => ({ market_id: 'mkt_other' })),
  order_outcome: mismatched(() => ({ outcome_id: 'out_http_no' })),
  order_side: mismatched(() => ({ side: 'SELL' })),
  order_price: mismatched((_, { random }) => ({ limit_price: `0.${random.between(10, 99)}` })),
  order_price_scale: mismatched(() => ({ limit_price: '0.020' })),
  order_quantity: mismatched((_, { random }) => ({ quantity: String(random.between(11, 1_000)) })),
  order_quantity_scale: mismatched(() => ({ quantity: '10.0' })),
  order_fee_cap: mismatched(() => ({ maximum_fee: '1001' })),
  order_notional_cap: mismatched(() => ({ maximum_notional: '100001' })),
  order_expiry_added: mismatched(() => ({ time_in_force: 'GTD', expires_at: inSeconds(3_600) })),
  order_time_in_force: mismatched(() => ({ time_in_force: 'FAK' })),
  order_post_only: mismatched(() => ({ post_only: true })),
  order_reduce_only: mismatched(() => ({ reduce_only: true })),
  order_cancel_on_pause: mismatched(() => ({ cancel_on_pause: true })),
  order_self_trade: mismatched(() => ({ self_trade_prevention: 'cancel_maker' })),
  order_client_id: mismatched(({ client_order_id }) => ({ client_order_id: `${client_order_id}x` })),
  order_nonce: mismatched(({ order_nonce }) => ({ order_nonce: String(BigInt(order_nonce as string) + 1n) })),
  order_asset: mismatched(() => ({ settlement_asset_id: 'asset_eur' })),
  order_signer: mismatched(() => ({ signer: signerOf('acct_b').account.address })),
  captured_order_as_new: {
    expected: 'SIGNATURE_ORDER_MISMATCH',
    make: ({ served, captured }) => {
      const body = { ...JSON.parse(captured.place.body), client_order_id: `again${Date.now()}`, order_nonce: '1' }
      return writeOf(served.keys.acct_a, '/orders', body)
    },
  },
  order_expiry_moved: {
    expected: 'SIGNATURE_ORDER_MISMATCH',
    make: async ({ served, random }) => {
      const body = await served.order({ ...RESTS, time_in_force: 'GTD', expires_at: inSeconds(1_800) })
      return writeOf(served.keys.acct_a, '/orders', { ...body, expires_at: inSeconds(1_801 + random.below(9_999)) })
    },
  },
  order_account: {
    expected: 'SIGNATURE_ORDER_MISMATCH',
    make: ({ served, captured }) =>
      writeOf(served.keys.acct_b, '/orders', { ...captured.unsent, account_id: 'acct_b' }),
  },
}

/** The signature itself: another form of it, another domain, another signer, another time. */
const SIGNATURES: Attacks = {
  signature_high_s: changed('SIGNATURE_INVALID', ({ order_signature }) => ({
    order_signature: highTwin(order_signature as string),
  })),
  signature_cut: changed('SIGNATURE_INVALID', ({ order_signature }, { random }) => ({
    order_signature: (order_signature as string).slice(0, 2 * random.between(2, 65)),
  })),
  signature_parity_from_0: changed('SIGNATURE_INVALID', ({ order_signature }) => {
    const text = order_signature as string
    return { order_signature: `${text.slice(0, -2)}0${text.endsWith('1b') ? 0 : 1}` }
  }),
  signature_with_bytes_behind: changed('SIGNATURE_INVALID', ({ order_signature }) => ({
    order_signature: `${order_signature}00`,
  })),
  signature_other_parity: changed('SIGNATURE_ORDER_MISMATCH', ({ order_signature }) => {
    const text = order_signature as string
    return { order_signature: `${text.slice(0, -2)}${text.endsWith('1b') ? '1c' : '1b'}` }
  }),
  signature_as_wallet: changed('SIGNATURE_TYPE_UNSUPPORTED', () => ({ signature_type: 'erc1271' })),
  signature_as_nested_wallet: changed('SIGNATURE_TYPE_UNSUPPORTED', () => ({ signature_type: 'erc1271_erc7739' })),
  signature_of_other_salt: {
    expected: 'SIGNATURE_ORDER_MISMATCH',
    make: async ({ served }) => {
      const body = await signOrder(wantedOrder('salt'), signerOf('acct_a'), 'production')
      return writeOf(served.keys.acct_a, '/orders', body)
    },
  },
  signature_of_foreign_signer: {
    expected: 'SIGNATURE_SIGNER_UNAUTHORIZED',
    make: async ({ served }) => {
      const body = await signOrder(wantedOrder('foreign'), signerOf('acct_b'), 'sandbox')
      return writeOf(served.keys.acct_a, '/orders', body)
    },
  },
  signature_expired: {
    expected: 'SIGNATURE_ORDER_EXPIRED',
    make: async ({ served, random }) => {
      const expires_at = inSeconds(-random.between(2, 100_000))
      return writeOf(served.keys.acct_a, '/orders', await served.order({ time_in_force: 'GTD', expires_at }))
    },
  },
}

/** Attacks that repeat an accepted order in another way, or use what belongs to another account. */
const RECORDS: Attacks = {
  order_again: {
    expected: 'ORDER_DUPLICATE_CLIENT_ID',
    make: ({ served, captured }) => writeOf(served.keys.acct_a, '/orders', captured.place.body),
  },
  order_again_as_amend: {
    expected: 'ORDER_DUPLICATE_CLIENT_ID',
    make: ({ served, captured }) => {
      const body = { ...JSON.parse(captured.place.body), expected_order_version: 1 }
      return writeOf(served.keys.acct_a, `/orders/${captured.placed_id}/amend`, body)
    },
  },
  order_nonce_reused: {
    expected: 'REPLAY_ORDER_NONCE_REUSED',
    make: async ({ served, captured }) => {
      const { order_nonce } = JSON.parse(captured.place.body) as { order_nonce: string }
      return writeOf(served.keys.acct_a, '/orders', await served.order({ ...RESTS, order_nonce }))
    },
  },
  order_of_other_account: {
    expected: 'ACCOUNT_NOT_FOUND',
    make: ({ served, captured }) => writeOf(served.keys.acct_b, '/orders', captured.unsent),
  },
  cancel_of_other_account: {
    expected: 'ORDER_NOT_FOUND',
    make: ({ served, captured }) => writeOf(served.keys.acct_a, `/orders/${captured.other_id}/cancel`, {}),
  },
  cancel_all_of_other_account: {
    expected: 'ACCOUNT_NOT_FOUND',
    make: ({ served }) =>
      writeOf(served.keys.acct_a, '/orders/cancel-all', { account_id: 'acct_b', scope: 'all_open_orders' }),
  },
  amend_of_other_account: {
    expected: 'ORDER_NOT_FOUND',
    make: async ({ served, captured }) => {
      const body = { ...(await served.order(RESTS)), expected_order_version: 1 }
      return writeOf(served.keys.acct_a, `/orders/${captured.other_id}/amend`, body)
    },
  },
  read_of_other_account: {
    expected: 'ORDER_NOT_FOUND',
    make: ({ served, captured }) => readOf(served.keys.acct_a, `/orders/${captured.other_id}`),
  },
}

/** Attacks with an order and its signature. */
export const ORDER_ATTACKS: Attacks = { ...MOVED, ...SIGNATURES, ...RECORDS }

const RESTS = { limit_price: '0.02', quantity: '10' } as const

/** A valid order of acct_a, changed after it was signed. */
function changed(expected: Attack['expected'], change: Change): Attack {
  return {
    expected,
    make: (target) => {
      const { unsent } = target.captured
      return writeOf(target.served.keys.acct_a, '/orders', { ...unsent, ...change(unsent, target) })
    },
  }
}

function mismatched(change: Change): Attack {
  return changed('SIGNATURE_ORDER_MISMATCH', change)
}

function wantedOrder(name: string): WantedOrder {
  return {
    ...RESTS,
    account_id: 'acct_a',
    market_id: MARKET_ID,
    outcome_id: OUTCOME_ID,
    side: 'BUY',
    client_order_id: `${name}${Date.now()}`,
    maximum_fee: '1000',
    maximum_notional: '100000',
  }
}

/** Whole seconds from now. */
function inSeconds(seconds: number): string {
  return `${new Date(Date.now() + seconds * 1_000).toISOString().slice(0, 19)}Z`
}
