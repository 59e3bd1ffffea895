import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { isReached } from '../../primitives/wall-clock.ts'
import { PublicMarkets } from '../../trading/public-market/fold-events.ts'
import type { PublicListing, PublicMarket } from '../../trading/public-market/public-market.ts'
import type { PastReads } from '../../trading/store/read/past-reads.ts'

export type PastPorts = {
  readonly reads: PastReads
  /** Shared stamp of the engine: no later batch is stamped at an instant or before it (`sharedStamp`); null: no engine is connected. */
  readonly seal: ((at: Micros) => Promise<unknown>) | null
  readonly now: () => Micros
}

/** Longest wait for the engine to seal an instant; at most one of its seals begins in a second. */
const SEAL_WAIT_MS = 2_000
/** Past states kept in memory; each is a market after one batch. */
const KEPT_MAX = 64

/**
 * States of listed markets as of an instant: what the engine's batches stamped at or before it leave. Stamps ascend, so an instant
 * is final once a batch has it or a later one.
 */
export class PastVenue {
  readonly #ports: PastPorts
  readonly #kept = new Map<string, Promise<PublicMarket | null>>()
  #sealed_through: Micros = 0

  constructor(ports: PastPorts) {
    this.#ports = ports
  }

  /** @returns the market after the last batch up to `as_of`; null: it was not listed by then. @throws as `seal` */
  async market(listing: PublicListing, as_of: Micros): Promise<PublicMarket | null> {
    await this.seal(as_of)
    const { engine_sequence } = await this.#ports.reads.headAt(as_of)
    return await this.#after(listing, engine_sequence)
  }

  /**
   * Returns the state of all these markets as of an instant, without books and trades; those that were not listed by then are left
   * out. Without an engine that seals the instant, the last commit counts: a list of all venues does not depend on our engine.
   * @throws {ServiceError} SERVICE_UNAVAILABLE
   */
  async states(listings: readonly PublicListing[], as_of: Micros): Promise<ReadonlyMap<string, PublicMarket>> {
    await this.seal(as_of).catch((error: unknown) => {
      if (!isServiceError(error, 'VALIDATION_AS_OF_UNAVAILABLE')) throw error
    })
    const { engine_sequence } = await this.#ports.reads.headAt(as_of)
    const markets = new PublicMarkets()
    for (const listing of listings) markets.list(listing)
    const events = await this.#ports.reads.statuses(engine_sequence)
    const of_these = events.filter((event) => 'market_id' in event && markets.market(event.market_id) !== null)
    markets.restore(of_these)
    const listed = new Set(of_these.map((event) => ('market_id' in event ? event.market_id : '')))
    return new Map(
      markets.all().flatMap((market) => (listed.has(market.market_id) ? [[market.market_id, market]] : [])),
    )
  }

  /**
   * Waits until every batch stamped up to `as_of` is committed.
   * @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE; VALIDATION_AS_OF_UNAVAILABLE: no engine has sealed it in time;
   *   SERVICE_UNAVAILABLE
   */
  async seal(as_of: Micros): Promise<void> {
    if (as_of <= this.#sealed_through) return
    if (as_of <= (await this.#readHead())) return
    const now = this.#ports.now()
    if (!(await isReached(as_of, now))) throw inFuture(as_of, now)
    // Why no engine sealed it does not matter here: the head shows whether one did.
    await bounded(this.#ports.seal?.(Math.max(now, as_of))).catch(() => undefined)
    const head = await this.#readHead()
    if (as_of > head) throw unavailable(as_of, head)
  }

  /** Records that every batch up to an instant is committed. */
  noteSealed(through: Micros): void {
    this.#sealed_through = Math.max(this.#sealed_through, through)
  }

  async #readHead(): Promise<Micros> {
    this.noteSealed((await this.#ports.reads.head()).at)
    return this.#sealed_through
  }

  #after(listing: PublicListing, engine_sequence: number): Promise<PublicMarket | null> {
    const key = `${engine_sequence} ${listing.market_id}`
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const read = this.#ports.reads.market(listing, engine_sequence)
    this.#kept.set(key, read)
    read.catch(() => this.#kept.delete(key))
    if (this.#kept.size > KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value!)
    return read
  }
}

/** Returns the error for an instant at which a market existed whose events this engine does not have. */
export function eventsNotKept(market_id: string, as_of: Micros): ServiceError {
  const asked = formatMicros(as_of)
  return new ServiceError(
    'VALIDATION_AS_OF_UNAVAILABLE',
    `as_of is ${asked}, but the events of ${market_id} at that time are not in the trading database; allowed: an instant from its listing there on`,
    { as_of: asked, market_id },
  )
}

async function bounded(work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, SEAL_WAIT_MS)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function inFuture(as_of: Micros, now: Micros): ServiceError {
  const asked = formatMicros(as_of)
  const message = `as_of is ${asked}; allowed: an instant that is not after ${formatMicros(now)}, the service's clock`
  return new ServiceError('VALIDATION_AS_OF_IN_FUTURE', message, { field: 'as_of', value: asked })
}

function unavailable(as_of: Micros, head: Micros): ServiceError {
  const [asked, final] = [formatMicros(as_of), head === 0 ? 'none yet' : formatMicros(head)]
  return new ServiceError(
    'VALIDATION_AS_OF_UNAVAILABLE',
    `as_of is ${asked}, but the exchange's events are final only through ${final} and its engine sealed no later instant in ${SEAL_WAIT_MS} ms; allowed: an earlier instant, or this one in some seconds`,
    { as_of: asked, retry_after_ms: String(SEAL_WAIT_MS) },
  )
}
