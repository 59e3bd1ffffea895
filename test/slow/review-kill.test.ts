import { expect, test } from 'vitest'
import { auditWarehouse } from '../../operations/audit/audit-warehouse.ts'
import { killedReviews, UNDISTURBED } from '../workflows/support/killed-reviews.ts'

/**
 * A dispute that is upheld, an override that ends and a withdrawal, each through its workflow, while every worker ends itself as
 * SIGKILL would: before and after each write, and before it tells what it did. The next worker goes on. The records and acts are
 * those of nobody being killed: each once. test/workflows/review.test.ts has nobody killed.
 */
const reviews = killedReviews()

/** Where the workers end, one after the other, while people act and when the override ends; then one that does not. */
const WRITES = ['before assessment_act', 'after assessment_act', 'before market_rating', 'after market_rating']
const WHILE_ACTING = [...WRITES, 'before performReviewAct tells', 'after assessment_act', 'after market_rating']
const AT_THE_END = [...WRITES, 'before expireOverrides tells']
const EXPIRY_SECONDS = 150

test(`workers end at ${WHILE_ACTING.length + AT_THE_END.length} of their steps: the records and acts are those of nobody ending`, async () => {
  const { mkt_dispute, mkt_override, mkt_withdrawn } = await reviews.rate()
  reviews.endAt(WHILE_ACTING)
  await Promise.all([
    reviews.disputeUpheld(mkt_dispute),
    reviews.overrideApproved(mkt_override, EXPIRY_SECONDS),
    reviews.withdrawn(mkt_withdrawn),
  ])
  const while_acting = reviews.deaths().length
  reviews.endAt(AT_THE_END)
  await reviews.overrideEnds()
  await reviews.stop()
  const places = reviews.deaths()
  process.stderr.write(`workers ended: ${places.join(', ')}\n`)
  expect(while_acting, 'workers that ended while people acted').toBeGreaterThanOrEqual(5)
  expect(places.length, 'workers that ended').toBeGreaterThanOrEqual(7)
  expect(places).toEqual(expect.arrayContaining(WRITES))
  expect(await reviews.told()).toEqual(UNDISTURBED)
  expect(await auditWarehouse({ warehouse: reviews.warehouse() })).toMatchObject({ violations: [] })
}, 600_000)
