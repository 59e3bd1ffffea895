import type { Performed } from '../../operations/review/perform-act.ts'
import { findAct } from '../../operations/review/perform-signed-act.ts'
import type { SignedAct } from '../../pipelines/review/signed-act.ts'
import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import { invariant } from '../../primitives/errors.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { deliverAct } from '../../workflows/client/reviews.ts'
import { reviewId } from '../../workflows/review-id.ts'
import { type ThroughOptions, withTemporal, workflowPage } from './with-temporal.ts'

/** Hands signed acts to the workflow that reviews their assessment. The key stays with this process. */
export function actThroughTemporal(
  subject: ReviewSubject,
  warehouse: Warehouse,
  options: ThroughOptions,
): (signed: SignedAct, chain_id: string) => Promise<Performed> {
  return (signed, chain_id) =>
    withTemporal(options, async (connected) => {
      const page = workflowPage(connected, reviewId(subject.table, chain_id))
      if (page !== null) options.output.note(page)
      const { act_id } = await deliverAct(connected.client, { subject: subject.table, chain_id }, signed)
      const performed = await findAct(warehouse, subject, act_id)
      invariant(performed !== null, `act ${act_id} is not in the warehouse of this process`)
      return performed
    })
}
