import { toMicros } from '../../primitives/instants.ts'
import { snapshotSource } from '../read/snapshot-source.ts'
import type { TableName } from '../tables.ts'
import type { Snapshot, Warehouse } from '../warehouse.ts'
import { digestKey } from './digest-files.ts'
import { intervalDigest, readDigests, type SealedDigest, sealedDigest } from './digests.ts'
import { type AuditViolation, violation } from './violation.ts'

type Checked = { readonly checked: number; readonly violations: readonly AuditViolation[] }

/** Recomputes every recorded digest of a table and compares it. */
export async function checkDigests(warehouse: Warehouse, snapshot: Snapshot): Promise<Checked> {
  const { table } = snapshot
  const { digests, damaged_line } = await readDigests(warehouse.store, table)
  const violations: AuditViolation[] = []
  const file = digestKey(table)
  if (damaged_line !== null) {
    violations.push(
      violation({ table, rule: 'DIGEST_FILE', file, id: null, detail: `line ${damaged_line} is not a digest` }),
    )
  }
  for (const recorded of digests.filter(({ table_id }) => table_id === snapshot.table_id)) {
    const as_of = toMicros(recorded.as_of)
    const source = await snapshotSource(warehouse, snapshot, as_of)
    const now = await sealedDigest(source, recorded.table_id, as_of, recorded.columns)
    if (isEqual(now, recorded)) continue
    const detail = `as of ${recorded.as_of} it had ${recorded.current_rows} current rows (${recorded.current_sha256}), now ${now.current_rows} (${now.current_sha256})`
    violations.push(violation({ table, rule: 'SEALED_AS_OF', file: null, id: null, detail }))
  }
  return { checked: digests.length, violations }
}

function isEqual(now: SealedDigest, recorded: SealedDigest): boolean {
  const { current_rows, current_sha256, visible_sha256 } = recorded
  const is_current = now.current_rows === current_rows && now.current_sha256 === current_sha256
  return is_current && now.visible_sha256 === visible_sha256
}

/** Compares the derived interval file, if readers would use one, with the definition of current(T). */
export async function checkIntervals(warehouse: Warehouse, snapshot: Snapshot): Promise<Checked> {
  const { table, head_stamp, table_id } = snapshot
  if (head_stamp === null || table_id === null) return { checked: 0, violations: [] }
  const source = await snapshotSource(warehouse, snapshot, head_stamp)
  if (source.intervals === null) return { checked: 0, violations: [] }
  const { current_sha256 } = await sealedDigest(source, table_id, head_stamp)
  const derived = await intervalDigest(source, head_stamp)
  return { checked: 1, violations: derived === current_sha256 ? [] : [wrongIntervals(table)] }
}

function wrongIntervals(table: TableName): AuditViolation {
  const file = `.derived/${table}/intervals.json`
  return violation({ table, rule: 'INTERVALS', file, id: null, detail: 'it gives other current rows than the table' })
}
