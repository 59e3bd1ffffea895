import { toMicros } from '../../primitives/instants.ts'
import type { Methodology } from '../../protocol/resources/methodology.ts'
import type { PublicApi } from '../http/public-api.ts'
import { METHODOLOGY_LISTS } from '../transparency/missing-fields.ts'
import type { ServedRecord } from './check-included.ts'
import { compareShown, type Facts } from './compare-shown.ts'
import type { Findings } from './report.ts'

/** Path of the read of one version of a methodology, as the contract has it. */
export const METHODOLOGY_PATH = '/methodologies/{methodology_id}/versions/{version}'

const nameOf = ({ methodology_id, version }: Facts) => `${String(methodology_id)}@${String(version)}`

/** Reads the methodologies of indexes, ratings and severity as records. */
export async function recordsOfMethodologies(api: PublicApi, as_of: string): Promise<readonly ServedRecord[]> {
  const lists = await Promise.all(
    METHODOLOGY_LISTS.map(async (path) => {
      const all = await api.list<Methodology>(path, { as_of })
      return all.map((record): ServedRecord => {
        const { methodology_id, version, published_at } = record
        const proof = `${path}/${methodology_id}/versions/${version}/proof`
        return { kind: 'methodology', record_id: nameOf(record), published_at, record, proof }
      })
    }),
  )
  return lists.flat()
}

/** Compares each version of a methodology that levels were recomputed by, read alone, with the list, which the log has. */
export function checkMethodologyDetails(
  details: readonly Facts[],
  listed: readonly ServedRecord[],
  { as_of, findings }: { readonly as_of: string; readonly findings: Findings },
): void {
  const by_name = new Map(listed.map(({ record_id, record }) => [record_id, record as Facts]))
  for (const detail of details) {
    const facts = by_name.get(nameOf(detail))
    const place = { check: 'included', subject: `methodology ${nameOf(detail)} in its detail` } as const
    if (facts !== undefined) compareShown(place, detail, { facts, source: 'the list' }, findings)
    else if (toMicros(String(detail.published_at)) <= toMicros(as_of))
      findings.fail(place.check, place.subject, 'the list does not have it')
  }
}
