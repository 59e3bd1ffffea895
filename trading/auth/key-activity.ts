import type { Micros } from '../../primitives/instants.ts'
import type { KeyRefusal } from '../../vocabulary/api-key.ts'

/** One request with a key. */
export type KeyUse = {
  readonly key_id: string
  readonly at: Micros
  readonly ip: string
  /** null: it was authenticated. */
  readonly refusal: KeyRefusal | null
}

/** Requests of one key, minute, refusal and address. */
export type KeyActivity = {
  readonly key_id: string
  /** Start of the minute. */
  readonly minute: Micros
  /** `used`, or the refusal. */
  readonly outcome: KeyRefusal | typeof USED
  /** Empty: of no address in particular. */
  readonly ip: string
  count: number
  last_at: Micros
}

const USED = 'used'
/** Id under which requests of unknown keys are counted. */
export const NO_KEY = ''

const MINUTE: Micros = 60_000_000
/** Addresses that are told apart, for one key, minute and outcome; further ones are counted together. */
const ADDRESSES_MAX = 20
/** Counters kept until they are written. */
const COUNTERS_MAX = 20_000

/** Counters of requests between two writes. Their number is bounded, whatever is sent. */
export class KeyActivityCounters {
  #counters = new Map<string, KeyActivity>()
  readonly #addresses = new Map<string, number>()

  get size(): number {
    return this.#counters.size
  }

  note({ key_id, at, ip, refusal }: KeyUse): void {
    const minute = at - (at % MINUTE)
    const outcome = refusal ?? USED
    const group = `${key_id} ${minute} ${outcome}`
    // Anybody can send a wrong signature from any number of addresses, so its addresses are not told apart.
    const own_address = refusal === 'wrong_signature' ? '' : ip
    const known =
      this.#counters.get(`${group} ${own_address}`) ?? this.#add(group, { key_id, minute, outcome, ip: own_address })
    known.count += 1
    known.last_at = Math.max(known.last_at, at)
  }

  /** Returns the counters and starts again. */
  take(): readonly KeyActivity[] {
    const taken = [...this.#counters.values()]
    this.#counters = new Map()
    this.#addresses.clear()
    return taken
  }

  /** Adds a counter; beyond the bounds, the one of no address, or at last of no key. */
  #add(group: string, made: Omit<KeyActivity, 'count' | 'last_at'>): KeyActivity {
    const count = this.#addresses.get(group) ?? 0
    if (made.ip !== '' && count >= ADDRESSES_MAX) return this.#of(group, { ...made, ip: '' })
    if (this.#counters.size >= COUNTERS_MAX)
      return this.#of(`${NO_KEY} ${made.minute} ${made.outcome}`, { ...made, key_id: NO_KEY, ip: '' })
    if (made.ip !== '') this.#addresses.set(group, count + 1)
    return this.#of(group, made)
  }

  #of(group: string, made: Omit<KeyActivity, 'count' | 'last_at'>): KeyActivity {
    const name = `${group} ${made.ip}`
    const counter = this.#counters.get(name) ?? { ...made, count: 0, last_at: made.minute }
    this.#counters.set(name, counter)
    return counter
  }
}
