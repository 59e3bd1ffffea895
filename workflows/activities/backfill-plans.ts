import type { BackfillSubject } from '../../operations/backfill/backfill-subject.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { placeOnce } from '../../warehouse/store/read-back.ts'
import type { Store } from '../../warehouse/store/store.ts'
import { backfillFolder, EARLIER_PLAN, nameOf, planKey } from '../../warehouse/store/work-keys.ts'
import type { BackfillPart } from '../backfill-plan.ts'

type Plan = { readonly subject: BackfillSubject; readonly parts: readonly BackfillPart[] }

/**
 * Stores a plan, which is too large for a history, under the hash of its content: every host that reads it by its id pages over the same
 * parts, whoever planned and however often.
 * @returns its id
 */
export async function storePlan(store: Store, backfill_id: string, plan: Plan): Promise<string> {
  const text = JSON.stringify(plan)
  const plan_id = nameOf(text)
  await placeOnce(store, planKey(backfillFolder(backfill_id), plan_id), Buffer.from(text))
  return plan_id
}

/**
 * Reads the parts of a stored plan.
 * @throws {ServiceError} WAREHOUSE_CORRUPT: it is missing, so the backfill cannot know which parts it has done
 */
export async function readPlan(store: Store, backfill_id: string, plan_id: string): Promise<readonly BackfillPart[]> {
  const key = planKey(backfillFolder(backfill_id), plan_id)
  const bytes = await store.get(key)
  if (bytes !== null) return (JSON.parse(String(bytes)) as Plan).parts
  const message = `the plan ${key} of backfill ${backfill_id} is missing in ${store.root}; run the command of the backfill again, which plans it anew`
  throw new ServiceError('WAREHOUSE_CORRUPT', message, { root: store.root, key })
}

/**
 * Reads the plan of a backfill that an earlier release began. The first host that does not find one plans again, for all hosts.
 * @param planAgain returns the parts
 */
export async function readEarlierPlan(
  store: Store,
  backfill_id: string,
  subject: BackfillSubject,
  planAgain: () => Promise<readonly BackfillPart[]>,
): Promise<readonly BackfillPart[]> {
  const key = planKey(backfillFolder(backfill_id), EARLIER_PLAN)
  if ((await store.stat(key)) === null) {
    await placeOnce(store, key, Buffer.from(JSON.stringify({ subject, parts: await planAgain() })))
  }
  return readPlan(store, backfill_id, EARLIER_PLAN)
}
