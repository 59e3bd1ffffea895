import { expect, test } from 'vitest'
import { auditWarehouse } from '../../operations/audit/audit-warehouse.ts'
import { killedReviews, UNDISTURBED } from './support/killed-reviews.ts'
import { eventually } from './support/temporal.ts'

/** Between its two writes an act is recorded, and what follows from it is not. test/slow/review-kill.test.ts has every place. */
const HALF_WAY = 'after assessment_act'
/** Long enough for two acts on a machine that has much else to do. */
const EXPIRY_SECONDS = 40

const reviews = killedReviews()

test('workers are killed half-way through a decision or withdrawal, and through the end of an override: the next one finishes each once', async () => {
  const { mkt_dispute, mkt_override, mkt_withdrawn } = await reviews.rate()
  reviews.endAt([HALF_WAY, HALF_WAY])
  await Promise.all([reviews.disputeUpheld(mkt_dispute), reviews.withdrawn(mkt_withdrawn)])
  expect(reviews.deaths()).toEqual([HALF_WAY, HALF_WAY])
  await reviews.overrideApproved(mkt_override, EXPIRY_SECONDS)
  reviews.endAt([HALF_WAY])
  await eventually(async () => (reviews.deaths().length === 3 ? true : null), 120_000)
  await reviews.overrideEnds()
  await reviews.stop()
  expect(await reviews.told()).toEqual(UNDISTURBED)
  expect(await auditWarehouse({ warehouse: reviews.warehouse() })).toMatchObject({ violations: [] })
}, 400_000)
