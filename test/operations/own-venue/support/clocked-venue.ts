import { openLivePublisher } from '../../../../operations/live/live-publisher.ts'
import { openVenueTail, type VenueTail } from '../../../../operations/own-venue/venue-tail.ts'
import { type Instant, type Micros, toMicros } from '../../../../primitives/instants.ts'
import type { OperatorCommand } from '../../../../trading/engine/submission.ts'
import type { OrderIntent } from '../../../../trading/order/order-intent.ts'
import type { Pool } from '../../../../trading/store/create-pool.ts'
import { openWarehouse, type Warehouse } from '../../../../warehouse/warehouse.ts'
import { takeAll, type VenueWorld, venueWorld } from './venue-world.ts'

/** An engine, its tail and a publisher whose clocks stand where they are put. */
export type ClockedVenue = VenueWorld & {
  readonly warehouse: Warehouse
  readonly tail: VenueTail
  now(): Micros
  setClock(at: Instant): void
  /** Stores what happened at 50 seconds after a minute, and publishes the tick of the next one. */
  passMinute(minute: number): Promise<void>
  operate(command: OperatorCommand): Promise<void>
  place(account_id: string, order: Partial<OrderIntent>): Promise<void>
  close(): Promise<void>
}

const DAY = '2026-01-05T00'
const SECOND = 1_000_000

export const minuteAt = (minute: number, second = '00'): Instant =>
  `${DAY}:${String(minute).padStart(2, '0')}:${second}Z`

export async function clockedVenue(pool: Pool, root: string): Promise<ClockedVenue> {
  let clock = toMicros(minuteAt(0, '10'))
  const now = () => clock
  const world = await venueWorld(pool, ['acct_a', 'acct_b', 'acct_c'], now)
  const warehouse = await openWarehouse({
    root,
    create: true,
    ports: { now: async () => clock, without_clock_guards: true },
  })
  const tail = await openVenueTail({ warehouse, reads: world.reads, now })
  const publisher = openLivePublisher(warehouse)
  const submitted = async (submission: Parameters<VenueWorld['submit']>[0][number]) => {
    const [answer] = await world.submit([submission])
    if (answer!.error !== null) throw new RangeError(answer!.error.message)
  }
  return {
    ...world,
    warehouse,
    tail,
    now,
    setClock: (at) => {
      clock = toMicros(at)
    },
    passMinute: async (minute) => {
      clock = toMicros(minuteAt(minute, '50'))
      await takeAll(tail)
      await tail.confirmQuotes(clock, clock - 40 * SECOND)
      await tail.storeBooks()
      clock = toMicros(minuteAt(minute + 1, '06'))
      await publisher.publishDue()
    },
    operate: (command) => submitted(world.maker.operate(command)),
    place: (account_id, order) => submitted(world.maker.place(account_id, order)),
    close: async () => {
      await world.engine.stop()
      await warehouse.close()
    },
  }
}

/** A second market of the same terms, with outcomes out_second_yes and out_second_no. */
export const SECOND_MARKET: OperatorCommand = {
  kind: 'add_market',
  market_id: 'mkt_2',
  outcome_ids: ['out_second_yes', 'out_second_no'],
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
  listing: {
    event_id: 'evt_second',
    title: 'The second question?',
    outcome_labels: { out_second_yes: 'Yes', out_second_no: 'No' },
    rules: { resolution_question: 'The second question?' },
    schedule: null,
  },
}
