import { entryBytes } from '../../pipelines/transparency/log-entry.ts'
import { SEAL_FORM, SEAL_KIND, type Seal, sealId } from '../../pipelines/transparency/seal.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import type { Warehouse } from '../warehouse.ts'
import type { LogState } from './log-state.ts'
import type { BatchPlan } from './plan-batch.ts'
import { type PublishedRow, readPublished } from './read-published.ts'
import type { TableForm } from './record-form.ts'

/** Entry with the name that it is looked up by. */
export type NamedEntry = { readonly kind: string; readonly record_id: string; readonly bytes: Uint8Array }

/**
 * Returns the entries of a batch: those of its rows in the order of (published_at, table, ordinal in the commit), then its seal.
 * @throws {ServiceError} LOG_CORRUPT, WAREHOUSE_CORRUPT
 */
export async function makeEntries(
  warehouse: Warehouse,
  plan: BatchPlan,
  forms: readonly TableForm[],
  state: Pick<LogState, 'seals' | 'last_seal'>,
): Promise<readonly NamedEntry[]> {
  const by_table = new Map(forms.map((form) => [form.table, form]))
  const rows: PublishedRow[] = []
  for (const table of plan.tables) rows.push(...(await readPublished(warehouse, table)))
  const ordered = rows.map((one) => ({ ...one, at: toMicros(one.row.published_at) })).sort((a, b) => a.at - b.at)
  const counts: Record<string, number> = {}
  const entries = ordered.flatMap(({ table, row }) =>
    by_table
      .get(table)!
      .records(row)
      .map((record): NamedEntry => {
        counts[record.kind] = (counts[record.kind] ?? 0) + 1
        return { kind: record.kind, record_id: record.record_id, bytes: entryBytes(record) }
      }),
  )
  return [...entries, sealEntry(sealOfPlan(plan, forms, counts, state), state.seals + 1)]
}

function sealOfPlan(
  { tables }: BatchPlan,
  forms: readonly TableForm[],
  counts: Readonly<Record<string, number>>,
  { last_seal }: Pick<LogState, 'last_seal'>,
): Seal {
  const sealed = tables.map(({ table, rows, cursor }) => {
    const { kinds } = forms.find((form) => form.table === table)!
    const { version, commit_sha256, sealed_through } = cursor
    return [
      table,
      { version, commit_sha256, rows, kinds: [...kinds], sealed_through: formatMicros(sealed_through!) },
    ] as const
  })
  const earliest = Math.min(...tables.map(({ cursor }) => cursor.sealed_through!))
  return {
    sealed_through: formatMicros(earliest),
    previous_seal: last_seal,
    tables: Object.fromEntries(sealed),
    counts,
  }
}

function sealEntry(seal: Seal, ordinal: number): NamedEntry {
  const named = { form: SEAL_FORM, kind: SEAL_KIND, record_id: sealId(ordinal), published_at: seal.sealed_through }
  const bytes = entryBytes({ ...named, record_text: canonicalJson(seal), in_full: true })
  return { kind: SEAL_KIND, record_id: named.record_id, bytes }
}
