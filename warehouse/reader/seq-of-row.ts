import { toMicros } from '../../primitives/instants.ts'
import type { Row } from '../schema.ts'
import type { CommitVersions } from './commit-versions.ts'
import { seqOf } from './placed-row.ts'

/** The place of a stored row in the numbering of its table. @param last a version that the row is part of */
export async function seqOfRow(row: Row, last: number, versions: CommitVersions): Promise<number> {
  return seqOf(await versions.versionOf(toMicros(row.published_at), last), row.row_ordinal as number)
}
