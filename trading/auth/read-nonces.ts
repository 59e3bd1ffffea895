import { ServiceError } from '../../primitives/errors.ts'

/** Nonces of signed reads that this process has accepted. */
export type ReadNonces = {
  /**
   * Records a nonce of a key.
   * @throws {ServiceError} REPLAY_REQUEST_NONCE_REUSED; RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE: no room to remember it, for
   *   this key or at all, so the request is refused
   */
  take(key_id: string, nonce: string): void
}

/** Retention of a nonce: longer than any timestamp is accepted (35 s), as the interface promises. */
const REMEMBERED_MS = 120_000
/** Nonces of one key per period: more than any account may read. */
const KEY_NONCES_MAX = 50_000
/** Nonces of all keys per period: about 100 MB. */
const NONCES_MAX = 500_000

type Period = { readonly by_key: Map<string, Set<string>>; count: number }

/**
 * Keeps the nonces of the current and the previous period: each is remembered for one to two
 * periods, and a whole period is dropped at once.
 * @param now_ms  a clock that never goes back
 */
export function createReadNonces(now_ms: () => number = () => performance.now()): ReadNonces {
  let [current, former]: [Period, Period] = [newPeriod(), newPeriod()]
  let begun_ms = now_ms()

  const turn = (): void => {
    const age_ms = now_ms() - begun_ms
    if (age_ms < REMEMBERED_MS) return
    former = age_ms < 2 * REMEMBERED_MS ? current : newPeriod()
    current = newPeriod()
    begun_ms = now_ms()
  }

  return {
    take: (key_id, nonce) => {
      turn()
      const mine = current.by_key.get(key_id) ?? new Set<string>()
      if (mine.has(nonce) || former.by_key.get(key_id)?.has(nonce) === true) throw reused(nonce)
      if (mine.size >= KEY_NONCES_MAX)
        throw new ServiceError(
          'RATE_LIMIT_EXCEEDED',
          `this key has read more than ${KEY_NONCES_MAX} times in 2 minutes`,
        )
      if (current.count >= NONCES_MAX)
        throw new ServiceError('SERVICE_UNAVAILABLE', 'too many signed reads within 2 minutes; ask again later')
      current.by_key.set(key_id, mine.add(nonce))
      current.count += 1
    },
  }
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
