import type {
  Amend,
  Cancel,
  CancelAllOrders,
  CancelTransfer,
  KeyAuthorization,
  MassQuote,
  NewKey,
  Operate,
  OperatorCommand,
  Place,
  PlaceBatch,
  RequestTransfer,
  SetCancelAfter,
  SetProtection,
  SignedOrder,
  Submission,
  WriteIdentity,
} from '../../../trading/engine/submission.ts'
import type { ListedTerms } from '../../../trading/market/market-terms.ts'
import type { AccountPolicy } from '../../../trading/order/account-policy.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'

export const POLICY: AccountPolicy = {
  policy_id: 'pol_test',
  policy_version: 1,
  self_trade_prevention: 'cancel_taker',
  reduce_only_crossing: 'cap',
  position_limit: null,
  price_band: null,
}

const NO_REASON = { client_cancel_id: null, reason: null } as const

const MARKET = {
  kind: 'add_market',
  market_id: 'mkt_1',
  outcome_ids: ['out_yes', 'out_no'],
  terms: {
    price_min: '0.01',
    price_max: '0.99',
    price_increment: '0.01',
    quantity_increment: '0.01',
    minimum_quantity: '0.01',
    settlement_asset_id: 'asset_usd',
    shorting_permitted: true,
  },
  fees: { schedule_id: 'fee_1', schedule_version: 1, taker_rate: '0.02', maker_rate: '0.005' },
} as const

/**
 * Makes submissions as the API hands them to the engine: every id, nonce and key of its own, signatures that verified. Two makers
 * with different names never make the same ids.
 */
export class SubmissionMaker {
  readonly #name: string
  #made = 0

  constructor(name = 'a') {
    this.#name = name
  }

  /** An asset, an open market and accounts with money and a key each. @param terms of the market that differ */
  setUp(account_ids: readonly string[], deposit = '100000', terms: Partial<ListedTerms> = {}): Submission[] {
    const accounts = account_ids.flatMap((account_id) => this.#account(account_id, deposit))
    return [
      this.operate({ kind: 'add_asset', asset_id: 'asset_usd', scale: 6 }),
      this.operate({ ...MARKET, terms: { ...MARKET.terms, ...terms } }),
      this.operate({ kind: 'move_market', market_id: 'mkt_1', to: 'open' }),
      ...accounts,
    ]
  }

  operate(command: OperatorCommand): Operate {
    return { kind: 'operate', act_id: this.#id('act'), actor: 'tester', reason: 'test', command }
  }

  place(account_id: string, order: Partial<OrderIntent> = {}): Place {
    return {
      kind: 'place',
      identity: this.#identity(account_id, 'POST', '/v1/orders'),
      order: this.order(account_id, order),
    }
  }

  placeBatch(account_id: string, orders: readonly Partial<OrderIntent>[]): PlaceBatch {
    const signed = orders.map((order) => this.order(account_id, order))
    return { kind: 'place_batch', identity: this.#identity(account_id, 'POST', '/v1/orders/batch'), orders: signed }
  }

  massQuote(account_id: string, quote_set_id: string, orders: readonly Partial<OrderIntent>[]): MassQuote {
    const identity = this.#identity(account_id, 'POST', '/v1/orders/mass-quote')
    const signed = orders.map((order) => this.order(account_id, order))
    return { kind: 'mass_quote', identity, market_id: 'mkt_1', quote_set_id, orders: signed }
  }

  cancel(account_id: string, order_id: string): Cancel {
    const identity = this.#identity(account_id, 'DELETE', `/v1/orders/${order_id}`)
    return { kind: 'cancel', identity, order_id, expected_order_version: null, client_cancel_id: null, reason: null }
  }

  cancelAll(account_id: string): CancelAllOrders {
    const identity = this.#identity(account_id, 'POST', '/v1/orders/cancel-all')
    const scope = { scope: 'all_open_orders' }
    return { kind: 'cancel_all', identity, market_ids: null, cancel_on_pause_only: false, ...NO_REASON, scope }
  }

  cancelAfter(account_id: string, timeout_ms: number): SetCancelAfter {
    return {
      kind: 'set_cancel_after',
      identity: this.#identity(account_id, 'PUT', '/v1/account/cancel-after'),
      timeout_ms,
    }
  }

  amend(account_id: string, order_id: string, version: number, order: Partial<OrderIntent>): Amend {
    const identity = this.#identity(account_id, 'PATCH', `/v1/orders/${order_id}`)
    return { kind: 'amend', identity, order_id, expected_order_version: version, order: this.order(account_id, order) }
  }

  transfer(
    account_id: string,
    terms: Pick<RequestTransfer, 'direction' | 'amount'> & { readonly asset_id?: string },
  ): RequestTransfer {
    const identity = this.#identity(account_id, 'POST', '/v1/account/transfers')
    return { kind: 'request_transfer', identity, asset_id: 'asset_usd', destination: null, ...terms }
  }

  setProtection(account_id: string, limits: Partial<SetProtection> = {}): SetProtection {
    const identity = this.#identity(account_id, 'PUT', '/v1/account/market-maker-protections/mkt_1')
    const usual = { fill_count_max: 2, quantity_max: null, window_ms: 10_000, frozen_ms: 60_000 }
    return { kind: 'set_protection', identity, market_id: 'mkt_1', ...usual, ...limits }
  }

  changeProtection(account_id: string, kind: 'reset_protection' | 'remove_protection', market_id = 'mkt_1') {
    const identity = this.#identity(account_id, 'POST', `/v1/account/market-maker-protections/${market_id}`)
    return { kind, identity, market_id } as const
  }

  cancelTransfer(account_id: string, transfer_id: string): CancelTransfer {
    const identity = this.#identity(account_id, 'POST', `/v1/account/transfers/${transfer_id}/cancel`)
    return { kind: 'cancel_transfer', identity, transfer_id, reason: null }
  }

  order(account_id: string, order: Partial<OrderIntent>): SignedOrder {
    const order_id = this.#id('ord')
    const intent: OrderIntent = {
      order_id,
      client_order_id: `c-${order_id}`,
      account_id,
      market_id: 'mkt_1',
      outcome_id: 'out_yes',
      side: 'BUY',
      limit_price: '0.50',
      quantity: '1',
      time_in_force: 'GTC',
      expires_at: null,
      post_only: false,
      reduce_only: false,
      cancel_on_pause: false,
      self_trade_prevention: 'cancel_taker',
      maximum_fee: '1000000',
      maximum_notional: '1000000',
      settlement_asset_id: 'asset_usd',
      ...order,
    }
    return {
      intent,
      signature: {
        signer: signerOf(account_id),
        order_nonce: `${BigInt(`0x${Buffer.from(this.#name).toString('hex')}`)}${this.#made}`,
        signature_type: 'eoa',
        signature_version: '1',
        order_signature: `0x${'5a'.repeat(65)}`,
        digest: `0x${'c3'.repeat(32)}`,
        contract_call: null,
      },
      labels: null,
      verdict: null,
    }
  }

  #account(account_id: string, amount: string): Submission[] {
    const { key, authorization } = this.#key(account_id)
    return [
      this.operate({
        kind: 'add_account',
        account_id,
        policy: POLICY,
        owner_address: signerOf(account_id),
        label: account_id,
      }),
      this.operate({ kind: 'deposit', transfer_id: this.#id('tr'), account_id, asset_id: 'asset_usd', amount }),
      this.operate({ kind: 'add_key', key, authorization }),
    ]
  }

  #key(account_id: string): { key: NewKey; authorization: KeyAuthorization } {
    const key: NewKey = {
      key_id: keyOf(account_id),
      account_id,
      environment: 'test',
      label: 'test',
      algorithm: 'ed25519',
      scopes: ['orders:read', 'orders:write'],
      ip_allowlist: [],
      material: 'ab'.repeat(32),
      expires_at: null,
    }
    const authorization: KeyAuthorization = {
      owner: signerOf(account_id),
      signer: signerOf(account_id),
      account: account_id,
      api_key_id: key.key_id,
      scopes_hash: `0x${'00'.repeat(32)}`,
      environment: 'test',
      issued_at: 1_700_000_000,
      expiry: 0,
      nonce: '1',
      authorization_version: '1',
      signature_type: 'eoa',
      signature: null,
    }
    return { key, authorization }
  }

  #identity(account_id: string, method: string, path: string): WriteIdentity {
    return {
      key_id: keyOf(account_id),
      account_id,
      nonce: this.#id('nonce'),
      method,
      path,
      idempotency_key: this.#id('key'),
      body_hash: 'e3'.repeat(32),
      request_id: this.#id('req'),
      command_id: this.#id('cmd'),
      ip: '127.0.0.1',
    }
  }

  #id(prefix: string): string {
    this.#made += 1
    return `${prefix}_${this.#name}${this.#made}`
  }
}

/** Address that signs for an account. */
function signerOf(account_id: string): string {
  return `0x${Buffer.from(account_id).toString('hex').padStart(40, '0').slice(-40)}`
}

function keyOf(account_id: string): string {
  return `key_${account_id}`
}
