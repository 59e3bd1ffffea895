import { setImmediate as turn } from 'node:timers/promises'
import type { PutOutcome, Store, StoreKey } from '../../../warehouse/store/store.ts'

/**
 * Fault of the next write of a commit. `repeated`: it takes effect and its repetition on the way is answered. `late`: it is not
 * answered, and takes effect when `land` is called. `lost`: it is not answered and never takes effect.
 */
type Fault = 'repeated' | 'late' | 'lost'

/** A store between us and another one that loses or repeats writes of commits. */
export type FaultyStore = {
  readonly store: Store
  /** Lets the next write of a commit fail. */
  next(fault: Fault): void
  /** Lets the late write take effect now, if it still can. */
  land(): Promise<PutOutcome>
}

/** Creates a store that passes everything on but the writes that are to fail. */
export function faultyStore(real: Store): FaultyStore {
  let fault: Fault | null = null
  let late: (() => Promise<PutOutcome>) | null = null
  const putIfAbsent = async (key: StoreKey, bytes: Uint8Array): Promise<PutOutcome> => {
    const now = /_delta_log\/\d+\.json$/.test(key) ? fault : null
    if (now === null) return real.putIfAbsent(key, bytes)
    fault = null
    if (now === 'repeated') {
      await real.putIfAbsent(key, bytes)
      return real.putIfAbsent(key, bytes)
    }
    if (now === 'late') late = () => real.putIfAbsent(key, bytes)
    return 'unknown'
  }
  return {
    store: { ...real, putIfAbsent },
    next: (next) => {
      fault = next
    },
    land: () => late!(),
  }
}

/** A store of two processes that do not lock: of writers that ask at the same time, all find the name free. */
export function twoWinners(real: Store): Store {
  const store: Store = {
    ...real,
    async putIfAbsent(key, bytes) {
      if ((await real.stat(key)) !== null) return 'taken'
      await turn()
      await real.replace(key, bytes)
      return 'placed'
    },
  }
  const copyOf = () => Promise.reject(new Error('no copies'))
  return { ...store, remote: { folder: real.root, endpoints: [store, store], copyOf } }
}
