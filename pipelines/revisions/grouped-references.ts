import type { Micros } from '../../primitives/instants.ts'
import type { PlannedState, ReferenceRule } from './plan-references.ts'

/** All records about one subject at one instant, in the order of arrival: one statement. */
export type Statement<T> = { readonly received_at: Micros; readonly records: readonly [T, ...T[]] }

/**
 * Groups records by instant and chain: an answer that lists an event with each of its markets states the event once.
 * @param sorted by received_at, equal instants in the order of arrival
 */
export function statementsOf<T extends { readonly received_at: Micros }>(
  sorted: readonly T[],
  idOf: (record: T) => string,
): Statement<T>[] {
  const statements: { received_at: Micros; records: [T, ...T[]] }[] = []
  let open = new Map<string, [T, ...T[]]>()
  let instant: Micros | null = null
  for (const record of sorted) {
    if (record.received_at !== instant) open = new Map()
    instant = record.received_at
    const id = idOf(record)
    const records = open.get(id)
    if (records !== undefined) {
      records.push(record)
      continue
    }
    const begun: [T, ...T[]] = [record]
    open.set(id, begun)
    statements.push({ received_at: instant, records: begun })
  }
  return statements
}

/** Turns a rule of records into a rule of statements. */
export function statementRule<S, T>(rule: ReferenceRule<S, T>): ReferenceRule<S, Statement<T>> {
  return {
    idOf: ({ records }) => rule.idOf(records[0]),
    merge: (before, { records: [first, ...rest] }) => rest.reduce<S>(rule.merge, rule.merge(before, first)),
    reasonOf: rule.reasonOf,
  }
}

/** Returns a planned statement as that of its last record, from which the row is made. */
export function asRecord<S, T>(planned: PlannedState<S, Statement<T>>): PlannedState<S, T> {
  const { records } = planned.record
  return { ...planned, record: records.at(-1) ?? records[0] }
}
