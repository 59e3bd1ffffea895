import type { LinkRecord } from '../../pipelines/index/series.ts'
import { FIRST_REVISION } from '../../primitives/append-only.ts'
import { formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'

/** The row of a version's link factor (`index_link`). */
export function linkRow(index_id: string, link: LinkRecord): Row {
  return {
    index_id,
    index_version_id: link.version.index_version_id,
    ...FIRST_REVISION,
    link_factor: formatDecimal(link.link_factor, SCALE.link_factor),
    link_at: formatMicros(link.link_at),
    previous_link_factor:
      link.previous_link_factor === null ? null : formatDecimal(link.previous_link_factor, SCALE.link_factor),
    level_at_link: link.level_at_link,
    composition_step: link.composition_step,
  }
}
