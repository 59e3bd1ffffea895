import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import type { Micros } from '../../primitives/instants.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Stamp, Warehouse } from '../../warehouse/warehouse.ts'

/** Reads what a review needs of its subject. */
export async function withSession<T>(
  warehouse: Warehouse,
  { table }: ReviewSubject,
  work: (session: ReadSession) => Promise<T>,
): Promise<T> {
  const session = await openReadSession(warehouse, { as_of: null, tables: [table, 'assessment_act'] })
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

/** Returns the stamp of an act's rows. @param at null: by the wall clock */
export function stampOf(at: Micros | null): Stamp {
  return at === null ? { kind: 'wall' } : { kind: 'recorded', at }
}
