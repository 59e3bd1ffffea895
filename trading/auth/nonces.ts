import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'

/** A nonce of a key. */
export type Nonce = { readonly key_id: string; readonly nonce: string }

/** Nonces that all processes of a service have accepted, kept for longer than their timestamps are. */
export type NonceStore = {
  /** Notes that requests are accepted from an instant on; an earlier one that is stored stays. */
  open(at: Micros): Promise<void>
  /**
   * Keeps a nonce.
   * @returns the instant from which the store knows every nonce; null: the nonce is kept already
   * @throws {ServiceError} SERVICE_UNAVAILABLE
   */
  keep(nonce: Nonce, at: Micros): Promise<Micros | null>
}

/** Accepted nonces of signed requests. */
export type Nonces = {
  /**
   * Uses up a nonce of a key.
   * @returns the instant from which every accepted nonce is known: an older request may have been accepted before
   * @throws {ServiceError} REPLAY_REQUEST_NONCE_REUSED; RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE: no room to remember it, for
   *   this key or at all, or the store does not answer, so the request is refused
   */
  take(nonce: Nonce, at: Micros): Promise<Micros>
}

/** Period of a process's own memory, longer than any timestamp is accepted (35 s). The shared store keeps nonces longer. */
const REMEMBERED_MS = 120_000
/** Nonces per period and process: of one key more than any account may ask, of all keys about 100 MB. */
const ROOM = { of_key: 50_000, of_all: 500_000 } as const

type Period = { readonly by_key: Map<string, Set<string>>; count: number }

/**
 * Refuses what this process remembers, and asks the store that all processes share for the rest. Nonces of the current and the
 * previous period are remembered: each for one to two periods, and a whole period is dropped at once.
 * @param now_ms  a clock that never goes back
 */
export function createNonces(
  store: NonceStore,
  now_ms: () => number = () => performance.now(),
  room: Readonly<Record<keyof typeof ROOM, number>> = ROOM,
): Nonces {
  let [current, former]: [Period, Period] = [newPeriod(), newPeriod()]
  let begun_ms = now_ms()

  const turn = (): void => {
    const age_ms = now_ms() - begun_ms
    if (age_ms < REMEMBERED_MS) return
    former = age_ms < 2 * REMEMBERED_MS ? current : newPeriod()
    current = newPeriod()
    begun_ms = now_ms()
  }

  /** Remembers a nonce that is new here. @returns the nonces of its key */
  const remember = ({ key_id, nonce }: Nonce): Set<string> => {
    turn()
    const mine = current.by_key.get(key_id) ?? new Set<string>()
    if (mine.has(nonce) || former.by_key.get(key_id)?.has(nonce) === true) throw reused(nonce)
    const full =
      mine.size >= room.of_key ? 'RATE_LIMIT_EXCEEDED' : current.count >= room.of_all ? 'SERVICE_UNAVAILABLE' : null
    if (full !== null) throw noRoom(full, room.of_key, begun_ms + REMEMBERED_MS - now_ms())
    current.by_key.set(key_id, mine.add(nonce))
    current.count += 1
    return mine
  }

  return {
    take: async (used, at) => {
      const mine = remember(used)
      const known_from = await store.keep(used, at).catch((error: unknown) => {
        mine.delete(used.nonce) // not accepted, so the same request may come again
        throw error
      })
      if (known_from === null) throw reused(used.nonce)
      return known_from
    },
  }
}

/** @param wait_ms  until the next period begins, which has room */
function noRoom(code: 'RATE_LIMIT_EXCEEDED' | 'SERVICE_UNAVAILABLE', of_key: number, wait_ms: number): ServiceError {
  const message =
    code === 'RATE_LIMIT_EXCEEDED'
      ? `this key has asked more than ${of_key} times in 2 minutes`
      : 'too many signed requests within 2 minutes; ask again later'
  return new ServiceError(code, message, { retry_after_ms: String(Math.ceil(wait_ms)) })
}

function newPeriod(): Period {
  return { by_key: new Map(), count: 0 }
}

function reused(nonce: string): ServiceError {
  return new ServiceError(
    'REPLAY_REQUEST_NONCE_REUSED',
    `SVC-Access-Nonce ${JSON.stringify(nonce)} was used before with this key; allowed: one that was not`,
    { nonce },
  )
}
