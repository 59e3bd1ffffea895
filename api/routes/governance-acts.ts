import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import { governanceActOf } from '../resources/governance.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { GOVERNANCE_ACT } from '../transparency/governance-forms.ts'
import { loggedRows, type RecordForm } from '../transparency/record-form.ts'
import { REFUSAL } from '../transparency/record-forms.ts'
import { compareKeys } from './catalog-page.ts'
import { pinnedAt } from './history-request.ts'
import { integerParameter, requiredText, textParameter } from './parameters.ts'

const TABLES = ['governance_act', 'refused_act'] as const
const KINDS = [GOVERNANCE_ACT.kind, REFUSAL.kind]

/** Lists acts: the recorded ones from memory, the refused ones, which anybody can cause, from the files. */
export async function listGovernanceActs(request: RouteRequest): Promise<RouteAnswer> {
  const [outcome, subject_id] = [textParameter(request, 'outcome'), textParameter(request, 'subject_id')]
  const limit = integerParameter(request, 'limit')
  const as_of = pinnedAt(request, TABLES)
  const after = afterAct(request)
  const recorded = outcome === 'refused' ? [] : recordedActs(request).filter((row) => isWanted(row, as_of, subject_id))
  const refused =
    outcome === 'recorded'
      ? []
      : await request.reader.history.refusals({ after, limit: limit + 1, as_of, record_id: subject_id })
  const sorted = [...recorded, ...refused]
    .map((row) => ({ row, key: keyOf(row) }))
    .filter(({ key }) => after === null || compareKeys(key, [after.published_at, after.id]) > 0)
    .sort((a, b) => compareKeys(a.key, b.key))
  const page = sorted.slice(0, limit)
  const last = page.at(-1)
  const next = last === undefined || sorted.length === page.length ? null : { as_of, key: last.key }
  const rows = page.map(({ row }) => row)
  return { data: rows.map(governanceActOf), next, ...loggedRows(KINDS, rows, actForm) }
}

/** Returns the act of a path, recorded or refused. @throws {ServiceError} GOVERNANCE_NOT_FOUND */
export async function requireGovernanceAct(request: RouteRequest): Promise<Row> {
  const act_id = requiredText(request, 'act_id')
  const recorded = recordedActs(request).find((row) => row.act_id === act_id)
  if (recorded !== undefined) return recorded
  const refused = await request.reader.history.refusal(act_id, pinnedAt(request, ['refused_act']))
  if (refused?.subject === 'governance') return refused
  throw missing('governance_act', act_id)
}

/** Returns the form in which an act is logged. */
export function actForm({ refusal_id }: Row): RecordForm {
  return refusal_id === undefined ? GOVERNANCE_ACT : REFUSAL
}

function recordedActs({ reader, as_of }: RouteRequest): readonly Row[] {
  return reader.catalog(as_of).governanceActs()
}

function isWanted(row: Row, as_of: Micros, subject_id: string | null): boolean {
  return toMicros(row.published_at) <= as_of && (subject_id === null || row.subject_id === subject_id)
}

function keyOf(row: Row): readonly [number, string] {
  return [toMicros(row.published_at), String(row.refusal_id ?? row.act_id)]
}

function afterAct({ cursor }: RouteRequest) {
  if (cursor === null) return null
  const [published_at, id] = cursor.key
  return { published_at: Number(published_at), id: String(id) }
}
