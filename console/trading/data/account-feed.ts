import type { AccountPolicy } from '../../../protocol/resources/account-policy.ts'
import type { Adjustment } from '../../../protocol/resources/adjustment.ts'
import { ApiError } from '../../data/api-error.ts'
import { createCell } from '../../data/cell.ts'
import { openSocket } from '../../data/live.ts'
import { StreamClient } from '../../data/stream-client.ts'
import type { Position } from '../../data/stream-position.ts'
import { randomToken, requestSignature } from '../signing/request-signature.ts'
import { type AccountRead, readAccount, readPolicy, readPositions } from './account-reads.ts'
import {
  type AccountRecords,
  type AccountUpdate,
  NO_RECORDS,
  rebased,
  withAdjustment,
  withUpdate,
} from './account-records.ts'
import type { PrivateApi } from './private-api.ts'

/** live: the private stream delivers every change. polling: without a stream, the account is read at an interval. */
export type FeedState = 'reading' | 'live' | 'reconnecting' | 'polling'

const TOPICS = {
  'account.order': 'orders',
  'account.fill': 'fills',
  'account.position': 'positions',
  'account.balance': 'balances',
  'account.settlement': 'settlements',
} as const
const POLL_MS = 5_000
/** Polling interval for marks, which account.position does not publish. */
const MARKS_MS = 15_000
/** Delay before reading the effects of own actions without a stream. */
const SOON_MS = 150

/** Live state of one account: read once, then followed from that cursor; a gap triggers a new read. */
export class AccountFeed {
  readonly records = createCell<AccountRecords>(NO_RECORDS)
  /** null: not read yet. */
  readonly policy = createCell<AccountPolicy | null>(null)
  readonly hidden = createCell<AccountRead['hidden']>([])
  readonly state = createCell<FeedState>('reading')
  /** Error of the last read; null: it succeeded. */
  readonly problem = createCell<ApiError | null>(null)
  readonly #api: PrivateApi
  readonly #ending = new AbortController()
  readonly #stream: StreamClient
  readonly #readAgain: () => void
  readonly #timers: readonly ReturnType<typeof setInterval>[]
  #is_followed = false

  constructor(api: PrivateApi) {
    this.#api = api
    this.#stream = new StreamClient({
      open: openSocket,
      setTimer: (call, millis) => setTimeout(call, millis),
      clearTimer: (timer) => clearTimeout(timer as number),
      random: Math.random,
      onConnected: (connected) => this.state.set(connected ? 'live' : 'reconnecting'),
      authenticate: () => authMessage(api),
      onRefused: () => this.state.set('polling'),
    })
    this.#readAgain = coalesced(
      () => this.#read(),
      (error) => {
        if (!this.#ending.signal.aborted) this.problem.set(asApiError(error))
      },
    )
    this.#timers = [setInterval(() => this.#poll(), POLL_MS), setInterval(() => this.#pollMarks(), MARKS_MS)]
    this.#readAgain()
  }

  /** Adds the records that an own action returned. */
  receive(update: AccountUpdate): void {
    this.#take(update)
    if (this.state.get() !== 'live') setTimeout(this.#readAgain, SOON_MS)
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#ending.abort()
    this.#stream.stop()
  }

  #take(update: AccountUpdate): void {
    this.records.set(withUpdate(this.records.get(), update))
  }

  async #read(): Promise<void> {
    const { signal } = this.#ending
    if (this.policy.get() === null) this.policy.set(await readPolicy(this.#api, signal))
    const account = await readAccount(this.#api, signal)
    const seq = account.position?.seq ?? Number.MAX_SAFE_INTEGER
    this.records.set(rebased(account.records, this.records.get(), seq))
    this.hidden.set(account.hidden)
    this.problem.set(null)
    if (!this.#is_followed && !signal.aborted) this.#follow(account.position)
  }

  #follow(position: Position | null): void {
    this.#is_followed = true
    const onGap = this.#readAgain
    for (const [topic, kind] of Object.entries(TOPICS) as [keyof typeof TOPICS, AccountUpdate['kind']][]) {
      const onData = (data: unknown, message_kind: string) => {
        if (message_kind === 'adjustment') this.#adjust(data as Adjustment)
        else this.#take({ kind, records: [data] } as AccountUpdate)
      }
      this.#stream.subscribe(topic, {}, { onData, onGap }, position)
    }
    const onPolicy = (data: unknown) => this.policy.set(data as AccountPolicy)
    this.#stream.subscribe('account.risk', {}, { onData: onPolicy, onGap: () => undefined })
    this.#stream.start()
  }

  #adjust(adjustment: Adjustment): void {
    this.records.set(withAdjustment(this.records.get(), adjustment))
  }

  #poll(): void {
    if (this.state.get() !== 'live' && !document.hidden) this.#readAgain()
  }

  #pollMarks(): void {
    if (this.state.get() !== 'live' || document.hidden || this.records.get().positions.size === 0) return
    readPositions(this.#api, this.#ending.signal).then(
      (records) => this.#take({ kind: 'positions', records }),
      () => undefined,
    )
  }
}

/** Returns the authentication message for private topics: signed like a request with method WS. */
async function authMessage({ key, now }: PrivateApi): Promise<object> {
  const [timestamp_ms, nonce] = [now(), randomToken()]
  const parts = { method: 'WS', path: '/v1/ws', query: '', body: '', timestamp_ms, nonce }
  const signature = await requestSignature(parts, key)
  return { key_id: key.key_id, timestamp: String(timestamp_ms), nonce, signature_version: 'v1', signature }
}

/** Runs work one at a time; calls during a run cause one more run afterwards. */
function coalesced(work: () => Promise<unknown>, onFailed: (error: unknown) => void): () => void {
  let running = false
  let wanted = false
  const run = async (): Promise<void> => {
    if (running) {
      wanted = true
      return
    }
    running = true
    await work().catch(onFailed)
    running = false
    if (wanted) {
      wanted = false
      await run()
    }
  }
  return () => void run()
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('PAGE_FAILED', String(error), {})
}
