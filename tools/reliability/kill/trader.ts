import type { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { LOAD_ENVIRONMENT, type LoadAccount, type LoadMarket } from '../../../bench/load/load-world.ts'
import type { SignedLoad } from '../../../bench/load/sign-orders.ts'
import type { RequestKey } from '../../../client/signing/sign-request.ts'
import type { OrderToSign } from '../../../protocol/order/order-terms.ts'
import type { Random } from '../../../simulator/world/random.ts'
import { sendWire, type WireAnswer, writeOf } from '../wire-request.ts'
import type { Gate } from './gate.ts'
import type { Intent, Journal } from './journal.ts'
import { type MakerTerms, MakerWrites } from './maker-writes.ts'

/** Running totals of all clients of a run. */
export type Tally = {
  /** Answers that ended an intent. */
  acknowledged: number
  /** Accepted orders among these. */
  placed: number
  canceled: number
  amended: number
  /** Ladders, protections that were set or reset, and dead-man's switches, each accepted. */
  quoted: number
  protected: number
  switched: number
  /** Sent, and no answer, or one that says that nobody knows. */
  unknown: number
  /** Asked again with the same Idempotency-Key after the answer was known. */
  repeated: number
  /** When the request was sent that was answered last, by performance.now(). */
  sent_at: number
  /** Refusals by what was asked and code. */
  readonly refused: Record<string, number>
  /** Answers that no client should ever see. */
  readonly faults: string[]
}

export type TraderPorts = {
  readonly agent: Agent
  readonly base_url: () => string
  readonly account: LoadAccount
  readonly place: number
  readonly markets: readonly LoadMarket[]
  readonly sign: (account: number, order: OrderToSign) => SignedLoad
  readonly journal: Journal
  readonly random: Random
  readonly tally: Tally
  readonly signal: AbortSignal
  /** Closed while nothing may be sent. */
  readonly gate: Gate
}

type Write = Intent & { readonly method: 'POST' | 'PUT'; readonly body: string }
/** Market, outcome and side of an order; a replacement keeps them. */
type Line = Pick<OrderToSign, 'market_id' | 'outcome_id' | 'side'>
type SignedText = { readonly body: string; readonly client_order_id: string }
type Working = Line & { readonly order_id: string; readonly version: number }

/** Answers after which a client asks again: nothing happened, or nobody knows. */
const PASSING: ReadonlySet<string> = new Set([
  'SERVICE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'RATE_LIMIT_EXCEEDED',
  'IDEMPOTENCY_IN_PROGRESS',
  // A database that crashed has forgotten its nonces: what was signed before is signed again.
  'AUTH_TIMESTAMP_OUT_OF_WINDOW',
])
/** An order of ours may have been executed or ended since we saw it. */
const MOVED_ON: ReadonlySet<string> = new Set([
  'ORDER_NOT_CANCELABLE',
  'ORDER_VERSION_CONFLICT',
  'ORDER_AMEND_NOT_ALLOWED',
])
/** Nobody listens, so nothing was sent. */
const NOT_SENT = 'ECONNREFUSED'
const PAUSE_MS = 40
const REMEMBERED = 20
/** Limits of a client's working orders: below the minimum it places one. */
const WORKING_MIN = 3
const WORKING_MAX = 30
/** Part of the requests that only a market maker sends. */
const MAKER_CHANCE = 120_000

/** One client, which does one thing after the other until it is told to stop, and never leaves one open. */
export class Trader {
  readonly #ports: TraderPorts
  readonly #key: RequestKey
  readonly #working: Working[] = []
  readonly #answered: Write[] = []
  readonly #maker: MakerWrites
  #made = 0
  #signed = 0
  #repeats_due = 0

  constructor(ports: TraderPorts) {
    this.#ports = ports
    const { key_id, secret } = ports.account
    this.#key = { key_id, secret, environment: LOAD_ENVIRONMENT, algorithm: 'hmac-sha256' }
    const { random, account, markets } = ports
    const signed = (terms: MakerTerms) => this.#sign({ ...terms, post_only: false })
    this.#maker = new MakerWrites({ random, account, markets, signed })
  }

  /** Asks its last writes again, as soon as it has an answer to the one that is under way. */
  repeatLast(): void {
    this.#repeats_due = 2
  }

  async run(): Promise<void> {
    const { random, signal, gate } = this.#ports
    for (;;) {
      await gate.pass()
      if (signal.aborted) return
      if (this.#repeats_due > 0 || random.chance(50_000)) await this.#repeat()
      else await this.#carryOut(this.#next())
    }
  }

  async #carryOut(write: Write): Promise<void> {
    const { journal, tally } = this.#ports
    const { body, method: _, ...intent } = write
    journal.intend(intent)
    const answer = await this.#ask(write)
    tally.acknowledged += 1
    this.#learn(write, answer)
    this.#answered.push(write)
    if (this.#answered.length > REMEMBERED) this.#answered.shift()
  }

  /** Its answer is known: it must come again, as it was. The journal keeps both. */
  async #repeat(): Promise<void> {
    const { random, tally } = this.#ports
    this.#repeats_due = Math.max(0, this.#repeats_due - 1)
    const count = this.#answered.length
    if (count === 0) return
    const write = this.#answered[this.#repeats_due > 0 ? count - 1 : random.below(count)]!
    const { replayed, status } = await this.#ask(write)
    tally.repeated += 1
    if (!replayed) tally.faults.push(`${write.idempotency_key}: answered anew, by ${status}`)
  }

  /** Until there is an answer; always under the same key, each time with a new nonce. */
  async #ask(write: Write): Promise<WireAnswer> {
    const { agent, base_url, journal, tally, random } = this.#ports
    const { path, body, idempotency_key, method } = write
    for (;;) {
      const sent_at = performance.now()
      try {
        const answer = await sendWire(
          agent,
          base_url(),
          writeOf(this.#key, path.slice('/v1'.length), body, { idempotency_key, method }),
        )
        if (!PASSING.has(answer.code ?? '')) {
          const { text: _, ...kept } = answer
          journal.answered(write.n, kept)
          tally.sent_at = Math.max(tally.sent_at, sent_at)
          return answer
        }
        if (answer.code === 'OUTCOME_UNKNOWN') this.#noteUnknown(write, answer.code)
      } catch (error) {
        const { code = 'no answer' } = error as { code?: string }
        if (code !== NOT_SENT) this.#noteUnknown(write, code)
      }
      await sleep(random.between(PAUSE_MS, 2 * PAUSE_MS))
    }
  }

  #noteUnknown({ n }: Write, why: string): void {
    const { journal, tally } = this.#ports
    journal.unknown(n, why)
    tally.unknown += 1
  }

  #learn({ kind, idempotency_key, order_id }: Write, { status, code, data }: WireAnswer): void {
    const { tally } = this.#ports
    if (status >= 400 || data === null) {
      tally.refused[`${kind} ${code}`] = (tally.refused[`${kind} ${code}`] ?? 0) + 1
      if (isExpected(kind, status, code, data)) return
      tally.faults.push(`${idempotency_key}: ${kind} of ${order_id ?? 'an order'} answered ${status} ${code}`)
      return
    }
    tally[COUNTED[kind]] += 1
    if (kind !== 'place' && kind !== 'amend') return
    const shown = JSON.parse(data) as Working & { readonly status: string; readonly replacement?: Working }
    if (shown.replacement !== undefined) this.#working.push(shown.replacement)
    else if (kind === 'place' && shown.status === 'open') this.#working.push(shown)
  }

  #next(): Write {
    const { random } = this.#ports
    const count = this.#working.length
    if (random.chance(MAKER_CHANCE)) return this.#makerWrite()
    if (count < WORKING_MIN || (count < WORKING_MAX && random.chance(700_000))) return this.#place()
    const [order] = this.#working.splice(random.below(count), 1)
    return random.chance(650_000) ? this.#cancel(order!) : this.#amend(order!)
  }

  #place(): Write {
    const { body, client_order_id } = this.#signedOrder(this.#line())
    return this.#write('place', '/v1/orders', body, client_order_id, null)
  }

  #makerWrite(): Write {
    const { kind, method, path, body, ladder } = this.#maker.next()
    return { ...this.#write(kind, path, body, null, null), method, ladder }
  }

  #cancel({ order_id }: Working): Write {
    return this.#write('cancel', `/v1/orders/${order_id}/cancel`, '{}', null, order_id)
  }

  #amend({ order_id, version, ...line }: Working): Write {
    const { body, client_order_id } = this.#signedOrder(line)
    const text = JSON.stringify({ ...JSON.parse(body), expected_order_version: version })
    return this.#write('amend', `/v1/orders/${order_id}/amend`, text, client_order_id, order_id)
  }

  #write(
    kind: Intent['kind'],
    path: string,
    body: string,
    client_order_id: string | null,
    order_id: string | null,
  ): Write {
    this.#made += 1
    const { account_id } = this.#ports.account
    const idempotency_key = `${account_id}-${this.#made}`
    const made = { n: this.#made, kind, account_id, path, idempotency_key, client_order_id, order_id, body }
    return { ...made, method: 'POST', ladder: [] }
  }

  #line(): Line {
    const { markets, random } = this.#ports
    const { market_id, outcome_ids } = markets[random.below(markets.length)]!
    const outcome_id = outcome_ids[random.below(outcome_ids.length)]!
    return { market_id, outcome_id, side: random.chance(500_000) ? 'BUY' : 'SELL' }
  }

  /** Prices meet around the middle: some execute, most rest. */
  #signedOrder({ market_id, outcome_id, side }: Line): SignedText {
    const { random } = this.#ports
    const price = 50 + (side === 'BUY' ? -1 : 1) * random.between(-2, 15)
    const time_in_force = random.chance(150_000) ? 'FAK' : 'GTC'
    const post_only = time_in_force === 'GTC' && random.chance(100_000)
    return this.#sign({ market_id, outcome_id, side, limit_price: `0.${price}`, time_in_force, post_only })
  }

  /** Under a client id and a nonce of its own. */
  #sign(terms: MakerTerms & Pick<OrderToSign, 'post_only'>): SignedText {
    const { account, place, sign, random } = this.#ports
    this.#signed += 1
    const client_order_id = `kill-${place}-${this.#signed}`
    const { body } = sign(place, {
      account_id: account.account_id,
      signer: account.signer,
      ...terms,
      quantity: `${random.between(1, 20)}.00`,
      expires_at: null,
      reduce_only: false,
      cancel_on_pause: true,
      self_trade_prevention: 'cancel_maker',
      client_order_id,
      order_nonce: String(this.#signed),
      maximum_fee: '1.00',
      maximum_notional: '20.00',
      settlement_asset_id: 'asset_usd',
      signature_version: '1',
    })
    return { body: body.toString(), client_order_id }
  }
}

/** Totals by kind of request. */
const COUNTED = {
  place: 'placed',
  cancel: 'canceled',
  amend: 'amended',
  quote: 'quoted',
  protect: 'protected',
  reset: 'protected',
  switch: 'switched',
} as const satisfies Record<Intent['kind'], keyof Tally>

/** An order may be rejected on its merits, a change may come too late; nothing else is refused. */
function isExpected(kind: Intent['kind'], status: number, code: string | null, data: string | null): boolean {
  if (kind === 'reset') return code === 'PROTECTION_NOT_FOUND'
  if (kind === 'place' || kind === 'amend') if (status === 422) return kind === 'amend' || data !== null
  return (kind === 'cancel' || kind === 'amend') && MOVED_ON.has(code ?? '')
}
